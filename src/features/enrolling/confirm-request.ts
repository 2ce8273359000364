import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import type { RequestFacts } from '#email/participant-letter.ts';
import { enrollmentState } from '#features/cohorts/cohort-status.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { enrollableRows, fullName } from '#features/places/enrollable-cohort.ts';
import { personAddress } from '#features/places/person-address.ts';
import { enroll, withPlaces } from '#features/places/places.ts';
import { refuseUnlessOpen } from '#features/places/refusals.ts';
import { blockHash, isBlocked } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { maskEmail } from '#lib/email-address.ts';
import { nameKeyOf } from '#lib/name-key.ts';
import { openLink } from '#lib/signed-links.ts';
import { factsOfRequest, requestMailKey } from './request-facts.ts';
import type { RequestConfirmed } from './schema.ts';

/** A request, with what its email was written for. */
type FoundRequest = {
  id: string;
  ownerId: string;
  cohortId: string;
  emailCanonical: string;
  personId: string | null;
  facts: RequestFacts;
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
  const link = await openRequest(ctx, token);
  if (link === null) {
    return null;
  }
  const { request, rows } = await ask(ctx, {
    request: requestQuery(link),
    rows: enrollableRows({ now: ctx.now(), where: isRequested({ id: link.id }) }),
  });
  const [found] = rows;
  return request === null || found === undefined
    ? null
    : {
        name: request.facts.name,
        question: request.facts.question,
        answer: request.facts.answer,
        email: maskEmail(request.facts.email),
        language: request.facts.language,
        cohortName: found.cohort.name,
        slug: found.cohort.slug,
        instructor: fullName(found.instructor),
        enrollmentState: enrollmentState(found.cohort, found.cohort, ctx.now()),
        isConfirmed: request.personId !== null,
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
  const request = await findAsked(ctx, token);
  if (request === null) {
    ctx.observe.log('person_link_refused', { kind: 'request' });
    throw new AppError('person_link_invalid');
  }
  const now = ctx.now().getTime();
  const { id, ownerId, cohortId, emailCanonical } = request;
  const { question, answer } = request.facts;
  const newcomer = { id: crypto.randomUUID(), cohortId, question, answer };
  const personId = sql`(SELECT id FROM people
    WHERE owner_id = ${ownerId} AND email_canonical = ${emailCanonical})`;
  if (request.personId !== null) {
    const { outcome } = await ask(ctx, { outcome: outcomeOf(request, sql`${request.personId}`) });
    return told(ctx, request, outcome);
  }
  const isOut = isBlocked(ownerId, await blockHash(ctx, request, cohortId));
  const mayEnroll = sql`${isThere(id)} AND NOT ${isOut}`;
  const { placed, outcome, blocks } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      enroll(now, { ...newcomer, personId }, mayEnroll),
      { first: writePerson(request, now, mayEnroll) },
    ),
    blocks: db.all<{ isOut: 0 | 1 }>(sql`SELECT ${isOut} AS isOut`),
    used: db.run(sql`UPDATE enrollment_requests SET person_id = ${personId}
      WHERE id = ${id} AND EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = ${cohortId}
        AND e.person_id = ${personId} AND e.status IN (${sql.join(
          isIn.map((status) => sql`${status}`),
          sql`, `,
        )}))`),
    outcome: outcomeOf(request, personId),
  });
  sendSoon(ctx, placed.mailIds);
  if (placed.changed !== null) {
    ctx.observe.log('enrollment_changed', { cohort: cohortId, status: placed.changed.status });
  }
  return told(ctx, request, outcome, blocks[0]?.isOut === 1);
}

async function openRequest(ctx: Context, token: unknown) {
  const link = await openLink(ctx, 'request', token);
  return link !== null && link.expiresAt > ctx.now().getTime() ? link : null;
}

async function findAsked(ctx: Context, token: unknown): Promise<FoundRequest | null> {
  const link = await openRequest(ctx, token);
  return link && (await ask(ctx, { request: requestQuery(link) })).request;
}

/** The query for the request of a link. */
function requestQuery({ id, expiresAt }: { id: string; expiresAt: number }) {
  const key = requestMailKey(id, expiresAt);
  return query({ rows: requestRows({ id, key }) }, ({ rows: [row] }): FoundRequest | null =>
    row === undefined ? null : { ...row, facts: JSON.parse(row.facts) },
  );
}

/** Whether a request is still there: what ends the links of its person ends it. */
function isThere(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM enrollment_requests r WHERE r.id = ${id})`;
}

const requestRows = prepared(({ id, key }: Given<'id' | 'key'>) =>
  db.all<
    Omit<FoundRequest, 'facts'> & { facts: string }
  >(sql`SELECT r.id, r.owner_id AS ownerId, r.cohort_id AS cohortId,
      r.email_canonical AS emailCanonical, r.person_id AS personId, ${factsOfRequest} AS facts
    FROM enrollment_requests r JOIN cohorts c ON c.id = r.cohort_id
      LEFT JOIN mails_due m ON m.dedupe_key = ${key} AND m.payload <> ''
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
function writePerson(request: FoundRequest, now: number, condition: SQL) {
  const { ownerId, emailCanonical } = request;
  const { name, email, language, consent_version: consentVersion } = request.facts;
  return db.run(sql`INSERT INTO people (id, owner_id, email, email_canonical, name, name_key,
      language, source, consented_at, consent_version, link_version, unlinked_at, created_at,
      updated_at)
    SELECT ${crypto.randomUUID()}, ${ownerId}, ${email}, ${emailCanonical}, ${name},
      ${nameKeyOf(name)}, ${language}, 'self', ${now}, ${consentVersion}, 1, ${now}, ${now}, ${now}
    WHERE ${condition}
    ON CONFLICT (owner_id, email_canonical) DO UPDATE SET consented_at = excluded.consented_at,
      consent_version = excluded.consent_version, updated_at = excluded.updated_at`);
}

function outcomeOf({ id, cohortId }: FoundRequest, personId: SQL) {
  return query(
    {
      rows: db.all<Outcome>(sql`SELECT e.status, p.id AS personId, p.link_version AS linkVersion,
          CASE WHEN e.status = 'waitlisted' THEN (SELECT count(*) FROM enrollments w
            WHERE w.cohort_id = e.cohort_id AND w.status = 'waitlisted'
              AND w.queue_no <= e.queue_no) END AS position
        FROM people p LEFT JOIN enrollments e ON e.cohort_id = ${cohortId} AND e.person_id = p.id
        WHERE p.id = ${personId} AND ${isThere(id)}`),
    },
    ({ rows: [row] }) => row ?? null,
  );
}

async function told(
  ctx: Context,
  request: FoundRequest,
  outcome: Outcome | null,
  isOut = false,
): Promise<RequestConfirmed> {
  const status = outcome?.status ?? null;
  const hasCome = status !== null && isIn.includes(status);
  if (outcome === null || status === null || (!hasCome && request.personId === null)) {
    const { rows } = await ask(ctx, {
      rows: enrollableRows({ now: ctx.now(), where: isRequested({ id: request.id }) }),
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
