import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import type { RequestFacts } from '#email/payload.ts';
import { enrollmentState } from '#features/cohorts/cohort-status.ts';
import { enrollableRows, fullName } from '#features/places/enrollable-cohort.ts';
import { maskEmail } from '#lib/email-address.ts';
import { openLink } from '#lib/signed-links.ts';
import { confirmationLifetimeMs } from './confirmation-links.ts';

/** A request to enroll, with what its email was written for. */
export type EnrollmentRequest = {
  id: string;
  ownerId: string;
  cohortId: string;
  emailCanonical: string;
  personId: string | null;
  /** Another request with the same address changes the row, but not what this email confirms. */
  facts: RequestFacts;
};

/** What the page of an emailed link shows, which changes nothing; null if the link is dead. */
export async function findRequest(ctx: Context, token: unknown) {
  const link = await openRequestLink(ctx, token);
  if (link === null) {
    return null;
  }
  const { request, rows } = await ask(ctx, {
    request: requestQuery(link),
    rows: enrollableRows({ now: ctx.now(), where: isCohortOfRequest({ id: link.id }) }),
  });
  const [row] = rows;
  if (request === null || row === undefined) {
    return null;
  }
  const { name, email, question, answer, language } = request.facts;
  return {
    name,
    question,
    answer,
    email: maskEmail(email),
    language,
    cohortName: row.cohort.name,
    slug: row.cohort.slug,
    instructor: fullName(row.instructor),
    enrollmentState: enrollmentState(row.cohort, row.cohort, ctx.now()),
    isConfirmed: request.personId !== null,
  };
}

/** The request of an emailed link; null if the link is dead. */
export async function openRequest(ctx: Context, token: unknown): Promise<EnrollmentRequest | null> {
  const link = await openRequestLink(ctx, token);
  return link && (await ask(ctx, { request: requestQuery(link) })).request;
}

async function openRequestLink(ctx: Context, token: unknown) {
  const link = await openLink(ctx, 'request', token);
  return link !== null && link.expiresAt > ctx.now().getTime() ? link : null;
}

/** The cohort of a request, for `enrollableRows`. */
export const isCohortOfRequest = fragment(
  ({ id }: Given<'id'>) =>
    sql`${cohorts.id} = (SELECT r.cohort_id FROM enrollment_requests r WHERE r.id = ${id})`,
);

function requestQuery({ id, expiresAt }: { id: string; expiresAt: number }) {
  // The email of this link: its key says when the link was made.
  const key = `request:${id}:${expiresAt - confirmationLifetimeMs}`;
  return query({ rows: requestRows({ id, key }) }, ({ rows: [row] }): EnrollmentRequest | null =>
    row === undefined ? null : { ...row, facts: JSON.parse(row.facts) },
  );
}

// Emails that keep no facts confirm the row as it is now.
const requestRows = prepared(({ id, key }: Given<'id' | 'key'>) =>
  db.all<
    Omit<EnrollmentRequest, 'facts'> & { facts: string }
  >(sql`SELECT r.id, r.owner_id AS ownerId, r.cohort_id AS cohortId,
      r.email_canonical AS emailCanonical, r.person_id AS personId,
      coalesce(m.payload -> '$.request.facts', json_object('name', r.name, 'email', r.email,
        'language', r.language, 'consent_version', r.consent_version, 'question', r.question,
        'answer', r.answer)) AS facts
    FROM enrollment_requests r JOIN cohorts c ON c.id = r.cohort_id
      LEFT JOIN mails_due m ON m.dedupe_key = ${key} AND m.payload <> ''
    WHERE r.id = ${id} AND c.deleted_at IS NULL AND c.published_at IS NOT NULL`),
);
