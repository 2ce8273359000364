import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { enrollableRows, fullName } from '#features/places/enrollable-cohort.ts';
import { personAddress } from '#features/places/person-address.ts';
import { enroll, withPlaces } from '#features/places/places.ts';
import { refuseUnlessOpen } from '#features/places/refusals.ts';
import { blockHash, isBlocked } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { nameKeyOf } from '#lib/text.ts';
import { type EnrollmentRequest, isCohortOfRequest, openRequest } from './find-request.ts';
import type { RequestConfirmed } from './schema.ts';

/** What a confirmed request leads to. */
const results: readonly EnrollmentStatus[] = ['enrolled', 'waitlisted', 'offered', 'applied'];

/** Where the person of a request stands in its cohort. */
type Standing = {
  status: EnrollmentStatus;
  position: number | null;
  personId: string;
  linkVersion: number;
};

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
  const request = await openRequest(ctx, token);
  if (request === null) {
    ctx.observe.log('person_link_refused', { kind: 'request' });
    throw new AppError('person_link_invalid');
  }
  if (request.personId !== null) {
    const { standing } = await ask(ctx, {
      standing: standingOf(request, sql`${request.personId}`),
    });
    return standing ? toConfirmed(ctx, standing) : refuseRequest(ctx, request, false);
  }
  const { standing, isBarred } = await enrollPerson(ctx, request);
  if (standing && results.includes(standing.status)) {
    return toConfirmed(ctx, standing);
  }
  const { status } = standing ?? {};
  return refuseRequest(ctx, request, isBarred || status === 'removed' || status === 'refused');
}

/** Enrolls the person in the batch that places are given in; says where they stand after it. */
async function enrollPerson(ctx: Context, request: EnrollmentRequest) {
  const now = ctx.now().getTime();
  const { id, ownerId, cohortId, emailCanonical } = request;
  const { question, answer } = request.facts;
  const newcomer = { id: crypto.randomUUID(), cohortId, question, answer };
  const personId = sql`(SELECT id FROM people
    WHERE owner_id = ${ownerId} AND email_canonical = ${emailCanonical})`;
  const isRemoved = isBlocked(ownerId, await blockHash(ctx, request, cohortId));
  const mayEnroll = sql`${isThere(id)} AND NOT ${isRemoved}`;
  const { placed, standing, blocks } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      enroll(now, { ...newcomer, personId }, mayEnroll),
      { first: writePerson(request, now, mayEnroll) },
    ),
    blocks: db.all<{ isBarred: 0 | 1 }>(sql`SELECT ${isRemoved} AS isBarred`),
    confirmed: db.run(sql`UPDATE enrollment_requests SET person_id = ${personId}
      WHERE id = ${id} AND EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = ${cohortId}
        AND e.person_id = ${personId} AND e.status IN (${sql.join(
          results.map((status) => sql`${status}`),
          sql`, `,
        )}))`),
    standing: standingOf(request, personId),
  });
  sendSoon(ctx, placed.mailIds);
  if (placed.changed !== null) {
    ctx.observe.log('enrollment_changed', { cohort: cohortId, status: placed.changed.status });
  }
  return { standing, isBarred: blocks[0]?.isBarred === 1 };
}

/** Whether a request is still there: what ends the links of its person ends it. */
function isThere(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM enrollment_requests r WHERE r.id = ${id})`;
}

/**
 * A known person keeps the name that they have here, which may be the instructor's spelling. In
 * no cohort until the next statement, because enrolling may be refused.
 */
function writePerson(request: EnrollmentRequest, now: number, condition: SQL) {
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

/** The query for where a person stands; null without an enrollment, or without the request. */
function standingOf({ id, cohortId }: EnrollmentRequest, personId: SQL) {
  return query(
    {
      rows: db.all<Standing>(sql`SELECT e.status, p.id AS personId, p.link_version AS linkVersion,
          CASE WHEN e.status = 'waitlisted' THEN (SELECT count(*) FROM enrollments w
            WHERE w.cohort_id = e.cohort_id AND w.status = 'waitlisted'
              AND w.queue_no <= e.queue_no) END AS position
        FROM people p JOIN enrollments e ON e.cohort_id = ${cohortId} AND e.person_id = p.id
        WHERE p.id = ${personId} AND ${isThere(id)}`),
    },
    ({ rows: [row] }) => row ?? null,
  );
}

async function toConfirmed(ctx: Context, standing: Standing): Promise<RequestConfirmed> {
  const { status, position, personId, linkVersion } = standing;
  return {
    status,
    queue_position: position,
    redirect_to: await personAddress(ctx, { id: personId, linkVersion }),
  };
}

/**
 * Says why no one is enrolled by a request.
 *
 * @param isBarred whether its person was removed or turned down
 */
async function refuseRequest(
  ctx: Context,
  { id }: EnrollmentRequest,
  isBarred: boolean,
): Promise<never> {
  const { rows } = await ask(ctx, {
    rows: enrollableRows({ now: ctx.now(), where: isCohortOfRequest({ id }) }),
  });
  const [row] = rows;
  if (row === undefined) {
    throw new AppError('person_link_invalid');
  }
  if (isBarred) {
    throw new AppError('enrollment_removed', { values: { instructor: fullName(row.instructor) } });
  }
  refuseUnlessOpen(ctx, row.cohort);
  // Someone has taken the place between the two trips, and given it back.
  throw new AppError('unavailable');
}
