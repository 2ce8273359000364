import 'server-only';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import type { EnrollmentStatus, Locale } from '#db/values.ts';
import { enrollmentState } from '#features/cohorts/cohort-status.ts';
import { cohorts } from '#features/cohorts/table.ts';
import { drainOutbox } from '#features/outbox/drain-outbox.ts';
import { blockHash, isBlocked } from '#features/unsubscribing/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { maskEmail } from '#lib/email-address.ts';
import { enrollableRows, fullName } from './enrollable-cohort.ts';
import { personAddress, requestOf } from './links.ts';
import { nameKeyOf } from './name-key.ts';
import { enroll, withPlaces } from './places.ts';
import { refuseUnlessOpen } from './refusals.ts';
import type { RequestConfirmed } from './schema.ts';

type RequestRow = {
  id: string;
  ownerId: string;
  cohortId: string;
  email: string;
  emailCanonical: string;
  name: string;
  language: Locale;
  consentVersion: number;
  question: string | null;
  answer: string | null;
  personId: string | null;
};

/** Where a request has led. */
const isIn: readonly EnrollmentStatus[] = ['enrolled', 'waitlisted', 'offered', 'applied'];

type Outcome = {
  status: EnrollmentStatus | null;
  position: number | null;
  personId: string;
  linkVersion: number;
};

/**
 * What the page of a link in an email shows, in one trip that changes nothing; null if the link is
 * dead.
 */
export async function findRequest(ctx: Context, token: unknown) {
  const id = await requestOf(ctx, token);
  if (id === null) {
    return null;
  }
  const { requests, rows } = await ask(ctx, {
    requests: requestRows({ id }),
    rows: enrollableRows({ now: ctx.now(), where: isRequested({ id }) }),
  });
  const [row, found] = [requests[0], rows[0]];
  return row === undefined || found === undefined
    ? null
    : {
        name: row.name,
        question: row.question,
        answer: row.answer,
        email: maskEmail(row.email),
        language: row.language,
        cohortName: found.cohort.name,
        slug: found.cohort.slug,
        instructor: fullName(found.instructor),
        enrollmentState: enrollmentState(found.cohort, found.cohort, ctx.now()),
        isConfirmed: row.personId !== null,
      };
}

/**
 * Enrolls the person of a request, puts them on the waitlist or lets them ask the owner: only now,
 * because only the click proves the mailbox. A second click changes nothing and says where they
 * stand.
 *
 * @param token of the emailed link; unchecked
 * @throws AppError `person_link_invalid`; `enrollment_removed`; why no one can enroll by now: see
 *   `refuseUnlessOpen`
 */
export async function confirmRequest(ctx: Context, token: unknown): Promise<RequestConfirmed> {
  const request = await requestRow(ctx, token);
  if (request === null) {
    ctx.observe.log('person_link_refused', { kind: 'request' });
    throw new AppError('person_link_invalid');
  }
  const now = ctx.now().getTime();
  const { id, ownerId, cohortId, emailCanonical, question, answer } = request;
  const newcomer = { id: crypto.randomUUID(), cohortId, question, answer };
  const personId = sql`(SELECT id FROM people
    WHERE owner_id = ${ownerId} AND email_canonical = ${emailCanonical})`;
  if (request.personId !== null) {
    const { outcome } = await ask(ctx, { outcome: outcomeOf(cohortId, sql`${request.personId}`) });
    return told(ctx, request, outcome);
  }
  const isOut = isBlocked(ownerId, await blockHash(ctx, request, cohortId));
  const { placed, outcome, blocks } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId },
      enroll(now, { ...newcomer, personId }, sql`NOT ${isOut}`),
      { first: writePerson(request, now, sql`NOT ${isOut}`) },
    ),
    blocks: db.all<{ isOut: 0 | 1 }>(sql`SELECT ${isOut} AS isOut`),
    used: db.run(sql`UPDATE enrollment_requests SET person_id = ${personId}
      WHERE id = ${id} AND EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = ${cohortId}
        AND e.person_id = ${personId} AND e.status IN (${sql.join(
          isIn.map((status) => sql`${status}`),
          sql`, `,
        )}))`),
    outcome: outcomeOf(cohortId, personId),
  });
  ctx.waitUntil(drainOutbox(ctx, placed.mailIds));
  if (placed.changed !== null) {
    ctx.observe.log('enrollment_changed', { cohort: cohortId, status: placed.changed.status });
  }
  return told(ctx, request, outcome, blocks[0]?.isOut === 1);
}

async function requestRow(ctx: Context, token: unknown): Promise<RequestRow | null> {
  const id = await requestOf(ctx, token);
  if (id === null) {
    return null;
  }
  const { rows } = await ask(ctx, { rows: requestRows({ id }) });
  return rows[0] ?? null;
}

const requestRows = prepared(({ id }: Given<'id'>) =>
  db.all<RequestRow>(sql`SELECT r.id, r.owner_id AS ownerId, r.cohort_id AS cohortId,
      r.email, r.email_canonical AS emailCanonical, r.name, r.language,
      r.consent_version AS consentVersion, r.question, r.answer, r.person_id AS personId
    FROM enrollment_requests r JOIN cohorts c ON c.id = r.cohort_id
    WHERE r.id = ${id} AND c.deleted_at IS NULL AND c.published_at IS NOT NULL`),
);

const isRequested = fragment(
  ({ id }: Given<'id'>) =>
    sql`${cohorts.id} = (SELECT r.cohort_id FROM enrollment_requests r WHERE r.id = ${id})`,
);

/**
 * A known person keeps the name that they have here, which may be the instructor's spelling. In
 * no cohort until the next statement, because enrolling may be refused.
 */
function writePerson(request: RequestRow, now: number, condition: SQL) {
  const { ownerId, email, emailCanonical, name, language, consentVersion } = request;
  return db.run(sql`INSERT INTO people (id, owner_id, email, email_canonical, name, name_key,
      language, source, consented_at, consent_version, link_version, unlinked_at, created_at,
      updated_at)
    SELECT ${crypto.randomUUID()}, ${ownerId}, ${email}, ${emailCanonical}, ${name},
      ${nameKeyOf(name)}, ${language}, 'self', ${now}, ${consentVersion}, 1, ${now}, ${now}, ${now}
    WHERE ${condition}
    ON CONFLICT (owner_id, email_canonical) DO UPDATE SET consented_at = excluded.consented_at,
      consent_version = excluded.consent_version, updated_at = excluded.updated_at`);
}

function outcomeOf(cohortId: string, personId: ReturnType<typeof sql>) {
  return query(
    {
      rows: db.all<Outcome>(sql`SELECT e.status, p.id AS personId, p.link_version AS linkVersion,
          CASE WHEN e.status = 'waitlisted' THEN (SELECT count(*) FROM enrollments w
            WHERE w.cohort_id = e.cohort_id AND w.status = 'waitlisted'
              AND w.queue_no <= e.queue_no) END AS position
        FROM people p LEFT JOIN enrollments e ON e.cohort_id = ${cohortId} AND e.person_id = p.id
        WHERE p.id = ${personId}`),
    },
    ({ rows: [row] }) => row ?? null,
  );
}

async function told(
  ctx: Context,
  request: RequestRow,
  outcome: Outcome | null,
  isOut = false,
): Promise<RequestConfirmed> {
  const status = outcome?.status ?? null;
  const hasCome = status !== null && isIn.includes(status);
  if (outcome === null || status === null || (!hasCome && request.personId === null)) {
    const { rows } = await ask(ctx, {
      rows: enrollableRows({ now: ctx.now(), where: eq(cohorts.id, request.cohortId) }),
    });
    const [found] = rows;
    if (found === undefined) {
      throw new AppError('person_link_invalid');
    }
    if (isOut || status === 'removed' || status === 'refused') {
      throw new AppError('enrollment_removed', {
        values: { instructor: fullName(found.instructor) },
      });
    }
    refuseUnlessOpen(ctx, found.cohort);
    // Someone has taken the place between the two trips, and given it back.
    throw new AppError('unavailable');
  }
  return {
    status,
    queue_position: outcome.position,
    redirect_to: await personAddress(ctx, {
      id: outcome.personId,
      linkVersion: outcome.linkVersion,
    }),
  };
}
