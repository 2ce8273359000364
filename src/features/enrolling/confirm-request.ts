import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import type { RequestFacts } from '#email/payload.ts';
import { enrollmentState } from '#features/cohorts/cohort-status.ts';
import { priceAt } from '#features/cohorts/price-at.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { enrollableRows, findEnrollable, fullName } from '#features/places/enrollable-cohort.ts';
import { personAddress } from '#features/places/person-address.ts';
import { enroll, queuePosition, withPlaces } from '#features/places/places.ts';
import { refuseHolds, refuseUnlessOpen } from '#features/places/refusals.ts';
import { blockHash, isBlocked } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { maskEmail } from '#lib/email-address.ts';
import { openLink } from '#lib/signed-links.ts';
import { nameKeyOf } from '#lib/text.ts';
import { pick } from '#lib/to-json.ts';
import { confirmationLifetimeMs } from './confirmation-links.ts';
import type { RequestConfirmed } from './schema.ts';

/** A request to enroll, with what its email was written for. */
type EnrollmentRequest = {
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
  const { name: personName, email, question, answer, language } = request.facts;
  const price = priceAt(row.cohort, ctx.now());
  return {
    personName,
    question,
    answer,
    email: maskEmail(email),
    language,
    courseName: row.courseName,
    ...pick(row.cohort, [
      'kind',
      'courseId',
      'slug',
      'name',
      'startsOn',
      'endsOn',
      'timeZone',
      'accessDays',
    ]),
    instructor: fullName(row.instructor),
    enrollmentState: enrollmentState(row.cohort, row.cohort, ctx.now()),
    isConfirmed: request.personId !== null,
    /** What enrolling at this moment costs. */
    price,
    /** Whether a place is kept until it is paid online. */
    paysFirst:
      ctx.config.stripe !== null &&
      row.cohort.paymentMode === 'online_first' &&
      (price?.minorNow ?? 0) > 0,
  };
}

async function openRequestLink(ctx: Context, token: unknown) {
  const link = await openLink(ctx, 'request', token);
  return link !== null && link.expiresAt > ctx.now().getTime() ? link : null;
}

const isCohortOfRequest = fragment(
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
 * @throws AppError `person_link_invalid`; `enrollment_removed`; `payment_off`, `too_many_holds`; why no one can
 *   enroll by now: see `refuseUnlessOpen`
 */
export async function confirmRequest(ctx: Context, token: unknown): Promise<RequestConfirmed> {
  const link = await openRequestLink(ctx, token);
  const request = link && (await ask(ctx, { request: requestQuery(link) })).request;
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
  const { id, ownerId, cohortId } = request;
  const { question, answer } = request.facts;
  const newcomer = { id: crypto.randomUUID(), cohortId, question, answer };
  const personId = personOf(request);
  const isRemoved = isBlocked(ownerId, await blockHash(ctx, request, cohortId));
  const mayEnroll = sql`${isThere(id)} AND NOT ${isRemoved}`;
  const { placed, standing, blocks } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now, cohortId, ownerId },
      enroll(ctx, now, { ...newcomer, personId }, mayEnroll),
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

/** The id of the person with the address of a request; null before there is one. */
function personOf({ ownerId, emailCanonical }: EnrollmentRequest): SQL {
  return sql`(SELECT id FROM people
    WHERE owner_id = ${ownerId} AND email_canonical = ${emailCanonical})`;
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
      language, source, agreed_at, consented_at, consent_version, link_version, unlinked_at, created_at,
      updated_at)
    SELECT ${crypto.randomUUID()}, ${ownerId}, ${email}, ${emailCanonical}, ${name},
      ${nameKeyOf(name)}, ${language}, 'self', ${now}, ${now}, ${consentVersion}, 1, ${now}, ${now}, ${now}
    WHERE ${condition}
    ON CONFLICT (owner_id, email_canonical) DO UPDATE SET agreed_at = excluded.agreed_at,
      consented_at = excluded.consented_at,
      consent_version = excluded.consent_version, updated_at = excluded.updated_at`);
}

/** The query for where a person stands; null without an enrollment, or without the request. */
function standingOf({ id, cohortId }: EnrollmentRequest, personId: SQL) {
  return query(
    {
      rows: db.all<Standing>(sql`SELECT e.status, p.id AS personId, p.link_version AS linkVersion,
          ${queuePosition} AS position
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
  request: EnrollmentRequest,
  isBarred: boolean,
): Promise<never> {
  const row = await findEnrollable(ctx, isCohortOfRequest({ id: request.id }));
  if (row === undefined) {
    throw new AppError('person_link_invalid');
  }
  const instructor = fullName(row.instructor);
  if (isBarred) {
    throw new AppError('enrollment_removed', { values: { instructor } });
  }
  refuseUnlessOpen(ctx, row.cohort);
  await refuseHolds(ctx, {
    cohortId: request.cohortId,
    personId: personOf(request),
    instructor,
  });
  // Someone has taken the place between the two trips, and given it back.
  throw new AppError('unavailable');
}
