import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isLive } from '#db/people.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { payableOf, placePriceAt, priceAt, usableAccount } from '#db/prices.ts';
import { db, type Query, query, type Statement } from '#db/query.ts';
import type { CohortKind, EnrollmentStatus } from '#db/values.ts';
import { queueStatusMails } from '#features/outbox/status-mails.ts';
import { dayMs, hourMs, minuteMs } from '#lib/time/calendar.ts';

/**
 * Who has a place. One statement decides, so that parallel requests cannot oversell, and triggers
 * stand behind it; see docs/decisions/0046-places-in-one-statement.md. Statuses in this file are
 * literals, because a statement that both reads and writes them says more as a whole.
 */

/** How many places of cohort `c` are taken: by people who are enrolled or are offered one. */
export function takenAt(now: number | SQL): SQL<number> {
  const offered = sql`(e.status = 'offered' AND e.expires_at > ${now})`;
  // Those of an open run are counted when they change: there can be thousands.
  return sql<number>`CASE c.kind WHEN 'open' THEN ${enrolledInRun}
      + (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id AND ${offered})
    ELSE (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id
      AND (e.status = 'enrolled' OR ${offered})) END`;
}

/** How many people are enrolled in cohort `c`, if it is an open run. */
const enrolledInRun = sql<number>`(SELECT coalesce(sum(r.people), 0) FROM run_counts r
  WHERE r.cohort_id = c.id)`;

/** How many people are enrolled in cohort `c`. */
export const enrolledCount = sql<number>`CASE c.kind WHEN 'open' THEN ${enrolledInRun}
  ELSE (SELECT count(*) FROM enrollments e
    WHERE e.cohort_id = c.id AND e.status = 'enrolled') END`;

/** How many people cohort `c` has who count toward its limit. */
export const livePeople = sql<number>`CASE c.kind WHEN 'open' THEN ${enrolledInRun}
    + (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id
      AND e.status IN ('offered', 'waitlisted', 'applied', 'invited'))
  ELSE (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id AND ${isLive}) END`;

/** How many people wait for a place in cohort `c`. */
export const waiting = sql<number>`(SELECT count(*) FROM enrollments e
  WHERE e.cohort_id = c.id AND e.status = 'waitlisted')`;

/** The last moment of an offer of cohort `c`: its beginning, or when enrollment closes later. */
export const lastOfferAt = sql<number>`min(c.ends_at,
  max(c.starts_at, coalesce(c.enrollment_closes_at, c.starts_at)))`;

/** An offer that is shorter is no offer. */
const shortestOfferMs = hourMs;

/** Whether cohort `c` goes on in public. */
const isRunning = sql`c.published_at IS NOT NULL AND c.deleted_at IS NULL AND c.archived_at IS NULL`;

/** Whether anyone can enroll in cohort `c` by themselves, as far as places do not matter. */
function isOpenAt(now: number | SQL): SQL {
  // The plus makes SQLite find the cohorts of a course by the course.
  return sql`${isRunning} AND c.join_mode <> 'invitation' AND +c.ends_at > ${now}
    AND c.closed_by_type = 0 AND (c.enrollment_override = 'open' OR (c.enrollment_override IS NULL
      AND (c.enrollment_opens_at IS NULL OR c.enrollment_opens_at <= ${now})
      AND coalesce(c.enrollment_closes_at, c.starts_at) > ${now}))`;
}

/**
 * Whether people can enroll by themselves in cohort `c`, ask to, or join its waitlist: as
 * `enrollmentState` in cohort-status.ts says for a page.
 */
export function canBeJoined(now: number | SQL): SQL {
  return sql`(${isOpenAt(now)} AND (c.waitlist = 1
    OR c.join_mode = 'approval' OR (${waiting} = 0 AND (c.capacity IS NULL OR ${takenAt(now)} < c.capacity))))`;
}

/** How many people a cohort can have, on its roster and on its waitlist; and an open run. */
export const maxPeople: Record<CohortKind, number> = { dated: 5_000, open: 20_000 };

/** The same of cohort `c`. */
export const maxPeopleIn = sql<number>`CASE c.kind WHEN 'open' THEN ${maxPeople.open}
  ELSE ${maxPeople.dated} END`;

/** What a statement that changes an enrollment says of it; nothing if it has changed none. */
export type Changed = { id: string; status: EnrollmentStatus };

function changing(statement: SQL): Query<Changed | null> {
  return ofOne(changingAll(statement));
}

function changingAll(statement: SQL): Query<Changed[]> {
  const returning = sql`${statement} RETURNING id, status`;
  return query({ rows: db.all<Changed>(returning) }, ({ rows }) => rows);
}

/** A change of several enrollments that was given one. */
export function ofOne(change: Query<Changed[]>): Query<Changed | null> {
  return query({ all: change }, ({ all: [first] }) => first ?? null);
}

type Options = NonNullable<Parameters<typeof queueStatusMails>[3]> & {
  /** A statement before the change, such as the one that writes the person. */
  first?: Statement;
};

/**
 * A change that may free or take a place, between what comes with each: before it, offers and
 * invitations that are over expire; after it, free places are offered in the order of the waitlist,
 * and each person whom that concerns gets an email. All in one batch.
 *
 * @param now the time that the change writes too: the emails are about what has changed at that
 *   very moment, and a clock goes on between two looks
 * @param cohortId also two, for a change that frees a place in one of them and takes one in the other
 * @param ownerId whose cohort it is said to be: in another owner's, nothing comes with the change
 * @returns what the change returns, and the ids of the emails to send at once
 */
export function withPlaces<T>(
  ctx: Context,
  {
    now,
    cohortId,
    ownerId,
  }: { now: number; cohortId: string | readonly string[]; ownerId: string | SQL },
  change: Query<T>,
  { first, ...options }: Options = {},
): Query<{ changed: T; mailIds: string[] }> {
  const cohortIds = [cohortId].flat();
  return query(
    {
      first,
      expired: inEach(cohortIds, (id) =>
        db.run(sql`${expireAt(ctx, now)} AND cohort_id = ${id} AND owner_id = ${ownerId}`),
      ),
      changed: change,
      promoted: inEach(cohortIds, (id) => promote(ctx, now, id, ownerId)),
      mails: queueStatusMails(ctx, now, cohortIds, { ...options, isOpen: isOpenAt(now) }),
    },
    ({ changed, mails }) => ({ changed, mailIds: mails }),
  );
}

function inEach(cohortIds: readonly string[], statementFor: (cohortId: string) => Statement) {
  return query(Object.fromEntries(cohortIds.map((id) => [id, statementFor(id)])), () => null);
}

/**
 * Ends offers and invitations that are over: the statement, to which other conditions are added.
 * An invitation outlives the hour in which its place was held and not paid for. Who was offered a
 * place by the clock or the owner, but no one can be paid, waits again, before all others.
 */
function expireAt(ctx: Paid, now: number): SQL {
  return sql`UPDATE enrollments SET (status, expires_at, queue_no) = (SELECT
        CASE WHEN i.ends_at > ${now} THEN 'invited' WHEN i.waits THEN 'waitlisted' ELSE 'expired' END,
        CASE WHEN i.ends_at > ${now} THEN i.ends_at END,
        CASE WHEN i.waits THEN enrollments.rowid - (1 << 32) END
      FROM (SELECT CASE WHEN enrollments.status = 'offered' AND enrollments.held_for = 'invitation'
          THEN ${invitationEnd} END AS ends_at,
        enrollments.status = 'offered' AND enrollments.held_for IS NOT 'invitation'
          AND (enrollments.held_for IS NULL OR enrollments.changed_by = 'owner') AND EXISTS (SELECT 1
          FROM cohorts c WHERE c.id = enrollments.cohort_id AND ${lastOfferAt} - ${now} >= ${shortestOfferMs}
            AND ${cannotPay(ctx, now, sql`enrollments.id`)}) AS waits) i),
      over_capacity = 0, changed_by = 'clock', status_changed_at = ${now}
    WHERE status IN ('offered', 'invited') AND expires_at <= ${now}`;
}

/** How long an invitation can be answered, as long as the cohort is not over. */
export const invitationMs = 14 * dayMs;

/** When the last invitation of a row of `enrollments` ends; null without one. */
const invitationEnd = sql`(SELECT min(max(v.at) + ${sql.raw(String(invitationMs))}, c.ends_at)
  FROM enrollment_events v JOIN cohorts c ON c.id = enrollments.cohort_id
  WHERE v.owner_id = enrollments.owner_id AND v.enrollment_id = enrollments.id
    AND v.to_status = 'invited' AND v.actor = 'owner')`;

/**
 * Enrolls a person, or puts them at the end of the waitlist; or lets them ask, where the owner
 * decides. A newcomer never overtakes those who wait. Writes nothing if enrollment is not open or
 * all is full, nor for who is in, asks already or was removed.
 */
export function enroll(ctx: Paid, now: number, newcomer: Newcomer, condition: SQL = sql`true`) {
  const { id, cohortId, personId, question = null, answer = null } = newcomer;
  return changing(sql`INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key,
      status, queue_no, expires_at, held_for, question, answer, changed_by, status_changed_at,
      created_at)
    SELECT ${id}, c.owner_id, c.id, p.id, p.name_key, s.status,
      CASE s.status WHEN 'waitlisted' THEN ${nextNo} END,
      CASE s.status WHEN 'offered' THEN ${now + holdMs} END, 'checkout', ${question}, ${answer}, 'person',
      ${now}, ${now}
    FROM cohorts c JOIN people p ON p.id = ${personId} AND p.owner_id = c.owner_id,
      (SELECT ${statusFor(ctx, now, sql`${personId}`)} AS status
        FROM cohorts c WHERE c.id = ${cohortId}) s
    WHERE c.id = ${cohortId} AND ${isOpenAt(now)} AND ${condition}
      AND (s.status <> 'waitlisted' OR c.waitlist = 1)
      AND (s.status <> 'offered' OR ${mayHold(ctx, now, sql`p.id`)})
    ON CONFLICT (cohort_id, person_id) DO UPDATE SET status = excluded.status,
      queue_no = excluded.queue_no, expires_at = excluded.expires_at,
      held_for = CASE WHEN enrollments.status = 'invited' THEN 'invitation' ELSE 'checkout' END,
      over_capacity = 0, completed_at = NULL,
      -- What was answered stays until there is another answer.
      question = CASE WHEN excluded.answer IS NULL THEN question ELSE excluded.question END,
      answer = coalesce(excluded.answer, answer),
      changed_by = 'person', status_changed_at = excluded.status_changed_at
    WHERE enrollments.status IN ('invited', 'left', 'declined', 'expired')`);
}

type Newcomer = {
  id: string;
  cohortId: string;
  personId: string | SQL;
  /** What they were asked and have answered; both null or missing without an answer. */
  question?: string | null;
  answer?: string | null;
};

/** What becomes of a newcomer. Who is invited needs no decision any more. */
function statusFor(ctx: Paid, now: number, personId: SQL): SQL {
  return sql`CASE WHEN c.join_mode = 'approval' AND NOT EXISTS (SELECT 1 FROM enrollments i
      WHERE i.cohort_id = c.id AND i.person_id = ${personId} AND i.status = 'invited')
    THEN 'applied' ELSE ${placeFor(ctx, now, personId)} END`;
}

/** A free place if no one waits for it, held until it is paid if need be; or the waitlist. */
function placeFor(ctx: Paid, now: number, personId: SQL): SQL {
  const known = sql`(SELECT y.id FROM enrollments y
    WHERE y.cohort_id = c.id AND y.person_id = ${personId})`;
  return sql`CASE WHEN (c.capacity IS NULL OR ${takenAt(now)} < c.capacity)
    AND NOT EXISTS (SELECT 1 FROM enrollments w WHERE w.cohort_id = c.id
      AND w.status = 'waitlisted' AND w.person_id <> ${personId})
    AND NOT ${cannotPay(ctx, now, known)}
    THEN CASE WHEN ${paysFirst(ctx, now, known)} THEN 'offered' ELSE 'enrolled' END
    ELSE 'waitlisted' END`;
}

/** Whether people can pay online in this deployment, and how often they can hold a place. */
type Paid = { config: Pick<Context['config'], 'limits' | 'stripe'> };

/** Whether an enrollment in cohort `c` has to be paid for, and no one can be paid at the moment. */
export function cannotPay(ctx: Paid, now: number | SQL, enrollmentId: SQL): SQL<0 | 1> {
  return sql<0 | 1>`(${paysFirst(ctx, now, enrollmentId)} AND ${usableAccount(ctx)} IS NULL)`;
}

/**
 * How long a place is held for someone who is to pay for it: an hour at Stripe, and the grace by which
 * the hold outlasts it, so that a late word of the payment still finds the place.
 */
export const graceMs = 10 * minuteMs;
const holdMs = hourMs + graceMs;

/** Whether an enrollment in cohort `c` has to be paid for before it is one. */
export function paysFirst({ config }: Paid, now: number | SQL, enrollmentId: SQL): SQL<0 | 1> {
  return config.stripe === null
    ? sql<0 | 1>`0`
    : sql<0 | 1>`(c.payment_mode = 'online_first'
        AND ${placePriceAt(now, enrollmentId)} > 0)`;
}

/** A cohort, if its places have to be paid first and no one can be paid at the moment. */
export function unpayableCohorts(ctx: Context, cohortId: string) {
  const account = usableAccount(ctx);
  return unpayable({ cohortId, now: ctx.now(), account, isOn: ctx.config.stripe !== null });
}

const unpayable = prepared(
  ({ cohortId, now, account, isOn }: Given<'cohortId' | 'now' | 'account' | 'isOn'>) =>
    db.all(sql`SELECT c.id FROM cohorts c WHERE c.id = ${cohortId} AND ${isOn}
      AND c.payment_mode = 'online_first' AND ${payableOf(priceAt(now))} > 0 AND ${account} IS NULL`),
);

/** Whether a person may hold a place in cohort `c` again, without having paid the last times. */
export function mayHold({ config }: Paid, now: number, personId: SQL): SQL<0 | 1> {
  const rates = config.limits.holds_per_enrollment.map(
    ({ count, seconds }) => sql`(SELECT count(*) FROM enrollments y
        CROSS JOIN enrollment_events v ON v.owner_id = y.owner_id AND v.enrollment_id = y.id
      WHERE y.cohort_id = c.id AND y.person_id = ${personId} AND v.actor = 'person'
        AND v.to_status = 'offered' AND v.at > ${now - seconds * 1000}) < ${count}`,
  );
  return sql<0 | 1>`(${sql.join([sql`true`, ...rates], sql` AND `)})`;
}

/** The place of enrollment `e` on the waitlist, from 1; null unless it waits. */
export const queuePosition = sql<number | null>`CASE WHEN e.status = 'waitlisted' THEN
  (SELECT count(*) FROM enrollments w WHERE w.cohort_id = e.cohort_id
    AND w.status = 'waitlisted' AND w.queue_no <= e.queue_no) END`;

/** The end of the waitlist of cohort `c`. */
export const nextNo = sql`(SELECT max(coalesce(max(q.queue_no), 0), 0) + 1 FROM enrollments q
  WHERE q.cohort_id = c.id)`;

/** The person of a link that is still valid: a new link ends what the old one could do. */
export type Bearer = { id: string; linkVersion: number };

/** Whether a link is still that of its person, which another request may have changed. */
export function isStillValid({ id, linkVersion }: Bearer): SQL {
  return sql`EXISTS (SELECT 1 FROM people p WHERE p.id = ${id} AND p.link_version = ${linkVersion})`;
}

/** Accepts an offer, once, before it ends. */
export function acceptOffer(ctx: Paid, now: number, id: string, person: Bearer) {
  return changing(sql`UPDATE enrollments
    SET status = 'enrolled', expires_at = NULL, changed_by = 'person', status_changed_at = ${now}
    WHERE id = ${id} AND person_id = ${person.id} AND status = 'offered' AND expires_at > ${now}
      AND ${isStillValid(person)}
      AND EXISTS (SELECT 1 FROM cohorts c WHERE c.id = enrollments.cohort_id
        AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now}
        AND NOT ${paysFirst(ctx, now, sql`enrollments.id`)})`);
}

/** Accepts an invitation, even if enrollment is closed: into a place, or onto the waitlist. */
export function acceptInvitation(ctx: Paid, now: number, id: string, person: Bearer) {
  const personId = sql`${person.id}`;
  return changing(sql`UPDATE enrollments
    SET status = s.status, queue_no = s.queue_no, changed_by = 'person', status_changed_at = ${now},
      expires_at = CASE s.status WHEN 'offered' THEN ${now + holdMs} END, held_for = 'invitation'
    FROM (SELECT p.*, CASE p.status WHEN 'waitlisted' THEN p.next_no END AS queue_no
      FROM (SELECT c.id AS cohort_id, c.waitlist, ${placeFor(ctx, now, personId)} AS status,
          ${mayHold(ctx, now, personId)} AS may_hold, ${nextNo} AS next_no
      FROM cohorts c WHERE c.id = (SELECT i.cohort_id FROM enrollments i WHERE i.id = ${id})
        AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now}) p) AS s
    WHERE enrollments.id = ${id} AND enrollments.person_id = ${person.id}
      AND enrollments.cohort_id = s.cohort_id AND enrollments.status = 'invited'
      AND enrollments.expires_at > ${now} AND (s.status <> 'waitlisted' OR s.waitlist = 1)
      AND (s.status <> 'offered' OR s.may_hold)
      AND ${isStillValid(person)}`);
}

/** Leaves the cohort or its waitlist, or declines an offer or an invitation. */
export function leave(now: number, id: string, person: Bearer, from: readonly EnrollmentStatus[]) {
  return changing(sql`UPDATE enrollments
    SET status = CASE status WHEN 'offered' THEN 'declined' WHEN 'invited' THEN 'declined'
        ELSE 'left' END,
      queue_no = NULL, expires_at = NULL, over_capacity = 0, completed_at = NULL,
      left_note = NULL, owes_after_leaving = 0, changed_by = 'person', status_changed_at = ${now}
    WHERE id = ${id} AND person_id = ${person.id}
      AND status IN (SELECT value FROM json_each(${JSON.stringify(from)}))
      AND ${isStillValid(person)}
      AND EXISTS (SELECT 1 FROM cohorts c WHERE c.id = enrollments.cohort_id
        AND c.deleted_at IS NULL AND c.ends_at > ${now})`);
}

/** The owner of a cohort, and the user who acts as the owner. */
type Acting = { ownerId: string; viewer: { id: string } };

type Added = {
  id: string;
  cohortId: string;
  personId: SQL;
  /** What must hold beside, such as that a limit has room. */
  condition?: SQL;
};

/** Enrolls a person for the owner of the cohort: in a free place, or although it is full. */
export function add(ctx: Acting, now: number, added: Added, isOver: boolean) {
  const { id, cohortId, personId, condition = sql`true` } = added;
  const over = isOver ? 1 : 0;
  return changing(sql`INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key,
      status, over_capacity, changed_by, changed_by_user_id, status_changed_at, created_at)
    SELECT ${id}, c.owner_id, c.id, p.id, p.name_key, 'enrolled',
      ${over} AND c.capacity IS NOT NULL AND ${takenAt(now)} >= c.capacity
        AND NOT ${isOffered(now)},
      'owner', ${ctx.viewer.id}, ${now}, ${now}
    FROM cohorts c JOIN people p ON p.id = ${personId} AND p.owner_id = c.owner_id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL
      AND c.archived_at IS NULL AND ${condition}
      AND (${over} OR c.capacity IS NULL OR ${takenAt(now)} < c.capacity OR ${isOffered(now)})
    ON CONFLICT (cohort_id, person_id) DO UPDATE SET status = 'enrolled', queue_no = NULL,
      expires_at = NULL, changed_by = 'owner', changed_by_user_id = excluded.changed_by_user_id,
      status_changed_at = excluded.status_changed_at,
      over_capacity = CASE enrollments.status WHEN 'offered' THEN enrollments.over_capacity
        ELSE excluded.over_capacity END
    WHERE enrollments.status <> 'enrolled'`);
}

/** Whether person `p` is offered a place in cohort `c`, and so has one. */
function isOffered(now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM enrollments o WHERE o.cohort_id = c.id AND o.person_id = p.id
    AND o.status = 'offered' AND o.expires_at > ${now})`;
}

/** Invites a person, or invites them again. An invitation keeps no place. */
export function invite(ctx: Acting, now: number, added: Added) {
  const { id, cohortId, personId, condition = sql`true` } = added;
  return changing(sql`INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key,
      status, expires_at, changed_by, changed_by_user_id, status_changed_at, created_at)
    SELECT ${id}, c.owner_id, c.id, p.id, p.name_key, 'invited',
      min(${now + invitationMs}, c.ends_at), 'owner', ${ctx.viewer.id}, ${now}, ${now}
    FROM cohorts c JOIN people p ON p.id = ${personId} AND p.owner_id = c.owner_id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL
      AND c.archived_at IS NULL AND c.ends_at > ${now} AND ${condition}
    ON CONFLICT (cohort_id, person_id) DO UPDATE SET status = 'invited', queue_no = NULL,
      expires_at = excluded.expires_at, over_capacity = 0, completed_at = NULL,
      changed_by = 'owner', changed_by_user_id = excluded.changed_by_user_id,
      status_changed_at = excluded.status_changed_at
    WHERE enrollments.status IN ('left', 'declined', 'refused', 'expired', 'removed')`);
}

/** Puts a person at the end of the waitlist for the owner, if the cohort has one. */
export function putOnWaitlist(ctx: Acting, now: number, added: Added) {
  const { id, cohortId, personId, condition = sql`true` } = added;
  return changing(sql`INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key,
      status, queue_no, changed_by, changed_by_user_id, status_changed_at, created_at)
    SELECT ${id}, c.owner_id, c.id, p.id, p.name_key, 'waitlisted', ${nextNo}, 'owner',
      ${ctx.viewer.id}, ${now}, ${now}
    FROM cohorts c JOIN people p ON p.id = ${personId} AND p.owner_id = c.owner_id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL
      AND c.archived_at IS NULL AND c.ends_at > ${now} AND c.waitlist = 1 AND ${condition}
    ON CONFLICT (cohort_id, person_id) DO UPDATE SET status = 'waitlisted',
      queue_no = excluded.queue_no, expires_at = NULL, over_capacity = 0, completed_at = NULL,
      changed_by = 'owner', changed_by_user_id = excluded.changed_by_user_id,
      status_changed_at = excluded.status_changed_at
    WHERE enrollments.status IN ('invited', 'left', 'declined', 'refused', 'expired', 'removed')`);
}

/** Offers a place by hand to someone who waits, even if others are before them. */
export function offer(ctx: Acting & Paid, now: number, id: string, isOver: boolean) {
  const over = isOver ? 1 : 0;
  return changing(sql`UPDATE enrollments
    SET status = 'offered', queue_no = NULL, offer_no = offer_no + 1, over_capacity = s.over,
      expires_at = s.expires_at, held_for = NULL, changed_by = 'owner', changed_by_user_id = ${ctx.viewer.id},
      status_changed_at = ${now}
    FROM (SELECT c.id AS cohort_id, min(${now} + c.offer_hours * 3600000, ${lastOfferAt}) AS expires_at,
        c.capacity IS NOT NULL AND ${takenAt(now)} >= c.capacity AS over
      FROM cohorts c WHERE c.id = (SELECT i.cohort_id FROM enrollments i WHERE i.id = ${id})
        AND c.owner_id = ${ctx.ownerId} AND ${isRunning} AND NOT ${cannotPay(ctx, now, sql`${id}`)}
        AND ${lastOfferAt} - ${now} >= ${shortestOfferMs}) AS s
    WHERE enrollments.id = ${id} AND enrollments.cohort_id = s.cohort_id
      AND enrollments.status = 'waitlisted' AND (s.over = 0 OR ${over})`);
}

/** People of one cohort, by the ids of their enrollments. */
export type Listed = { ids: readonly string[]; cohortId: string };

/**
 * Lets people in who have asked for a place, those first who asked first: into free places that
 * no one waits for; the others onto the waitlist, or in although all is full. Who has to pay first is
 * offered the place; no one is while they could not pay.
 */
export function approve(
  ctx: Acting & Paid,
  now: number,
  { ids, cohortId }: Listed,
  isOver: boolean,
): Query<Changed[]> {
  const over = isOver ? 1 : 0;
  // The cohort is counted once, not for each person.
  return changingAll(sql`UPDATE enrollments
    SET status = s.status, queue_no = s.queue_no, over_capacity = s.over, changed_by = 'owner',
      changed_by_user_id = ${ctx.viewer.id}, status_changed_at = ${now},
      expires_at = CASE s.status WHEN 'offered' THEN s.offer_ends_at END, held_for = 'checkout'
    FROM (WITH room AS MATERIALIZED (SELECT c.id, c.owner_id, c.waitlist, c.payment_mode, c.currency, c.price_minor,
          c.early_price_minor, c.early_until_at,
          max(${now + holdMs}, min(${now} + c.offer_hours * 3600000, ${lastOfferAt})) AS offer_ends_at,
          CASE WHEN c.capacity IS NULL THEN 1000000 ELSE max(0, c.capacity - ${takenAt(now)}) END
            AS free,
          c.capacity IS NOT NULL AND ${waiting} > 0 AS has_queue, ${nextNo} AS next_no
        FROM cohorts c WHERE c.id = ${cohortId} AND c.owner_id = ${ctx.ownerId}
          AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now})
      SELECT r.*, ${over} AND r.n > r.free AS over,
        CASE WHEN NOT r.is_in THEN 'waitlisted' WHEN r.pays_first THEN 'offered' ELSE 'enrolled'
          END AS status,
        CASE WHEN NOT r.is_in
          THEN r.next_no + r.n - 1 - CASE WHEN r.has_queue THEN 0 ELSE r.free END END AS queue_no
      FROM (SELECT z.*, ${over} OR (z.n <= z.free AND NOT z.has_queue) AS is_in
        FROM (SELECT a.id AS enrollment_id, c.*, ${paysFirst(ctx, now, sql`a.id`)} AS pays_first,
            row_number() OVER (ORDER BY a.status_changed_at, a.id) AS n
          FROM room c CROSS JOIN json_each(${JSON.stringify(ids)}) w
            JOIN enrollments a ON a.id = w.value AND a.cohort_id = c.id
              AND a.status = 'applied' AND NOT ${cannotPay(ctx, now, sql`a.id`)}) z) r) AS s
    WHERE enrollments.id = s.enrollment_id AND (s.is_in OR s.waitlist = 1)`);
}

/** Turns down people who have asked for a place; they cannot ask again by themselves. */
export function turnDown(ctx: Acting, now: number, { ids, cohortId }: Listed): Query<Changed[]> {
  return changingAll(sql`UPDATE enrollments
    SET status = 'refused', changed_by = 'owner', changed_by_user_id = ${ctx.viewer.id},
      status_changed_at = ${now}
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      AND cohort_id = ${cohortId} AND owner_id = ${ctx.ownerId} AND status = 'applied'`);
}

const removable: readonly EnrollmentStatus[] = [
  'invited',
  'waitlisted',
  'offered',
  'enrolled',
  'applied',
];

/**
 * Takes people out of a cohort, so that they cannot come back by themselves.
 *
 * @param from where they must stand: an offer that was accepted meanwhile is not taken back
 */
export function remove(
  ctx: Acting,
  now: number,
  { ids, cohortId }: Listed,
  from = removable,
): Query<Changed[]> {
  return changingAll(sql`UPDATE enrollments
    SET status = 'removed', queue_no = NULL, expires_at = NULL, over_capacity = 0,
      completed_at = NULL, left_note = NULL, owes_after_leaving = 0, changed_by = 'owner', changed_by_user_id = ${ctx.viewer.id},
      status_changed_at = ${now}
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      AND cohort_id = ${cohortId} AND owner_id = ${ctx.ownerId}
      AND status IN (SELECT value FROM json_each(${JSON.stringify(from)}))`);
}

type Leaving = {
  id: string;
  cohortId: string;
  note: string | null;
  /** Whether they still owe what is open. */
  owes: boolean;
  /** What must hold beside, of the row of `enrollments`. */
  condition: SQL;
};

/** Ends the place of someone who is enrolled and has told the owner so; they can come back. */
export function markLeft(
  ctx: Acting,
  now: number,
  { id, cohortId, note, owes, condition }: Leaving,
) {
  return changing(sql`UPDATE enrollments
    SET status = 'left', over_capacity = 0, completed_at = NULL, left_note = ${note},
      owes_after_leaving = ${owes ? 1 : 0}, changed_by = 'owner',
      changed_by_user_id = ${ctx.viewer.id}, status_changed_at = ${now}
    WHERE id = ${id} AND cohort_id = ${cohortId} AND owner_id = ${ctx.ownerId}
      AND status = 'enrolled' AND ${condition}`);
}

/**
 * Moves someone who is enrolled to another cohort of the same owner, into a free place or although
 * it is full. They start over there: nothing is completed.
 */
export function transfer(
  ctx: Acting,
  now: number,
  moved: { id: string; from: string; to: string },
  isOver: boolean,
) {
  const over = isOver ? 1 : 0;
  return changing(sql`UPDATE enrollments
    SET cohort_id = t.cohort_id, over_capacity = t.over, completed_at = NULL, changed_by = 'owner',
      changed_by_user_id = ${ctx.viewer.id}, status_changed_at = ${now}
    FROM (SELECT c.id AS cohort_id, c.capacity IS NOT NULL AND ${takenAt(now)} >= c.capacity AS over
      FROM cohorts c WHERE c.id = ${moved.to} AND c.owner_id = ${ctx.ownerId}
        AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now}) AS t
    WHERE enrollments.id = ${moved.id} AND enrollments.cohort_id = ${moved.from}
      AND enrollments.owner_id = ${ctx.ownerId} AND enrollments.status = 'enrolled'
      AND (t.over = 0 OR ${over})
      AND NOT EXISTS (SELECT 1 FROM enrollments x
        WHERE x.cohort_id = t.cohort_id AND x.person_id = enrollments.person_id)
      AND NOT ${hasOtherMoney(moved)}`);
}

/** Whether someone has paid, or is paying, in another currency than that of the other cohort. */
export function hasOtherMoney({ id, to }: { id: string; to: string }): SQL {
  return sql`EXISTS (SELECT 1 FROM cohorts c JOIN used_currencies u ON u.cohort_id = c.id
    WHERE c.id = ${to} AND (EXISTS (SELECT 1 FROM checkouts o WHERE o.enrollment_id = ${id}
        AND o.status IN ('open', 'confirming') AND o.currency <> coalesce(u.currency, c.currency, o.currency))
      OR (SELECT coalesce(sum(x.amount_minor), 0) FROM ledger_entries x WHERE x.enrollment_id = ${id}
        AND x.kind IN ('payment', 'refund')
        AND x.currency <> coalesce(u.currency, c.currency, x.currency)) <> 0))`;
}

/** The offers of a cohort, as a statement's table and condition. */
function offersIn(cohortId: string, ownerId: string): SQL {
  return sql`enrollments.cohort_id = ${cohortId} AND enrollments.owner_id = ${ownerId}
    AND enrollments.status = 'offered'`;
}

/**
 * When an offer, a row of `enrollments`, ends once the last moment for offers has come nearer: until
 * then, offers outlive enrollment. Who is to pay keeps an hour for it, who is paying the time of their
 * page, and all of it while a bank confirms.
 */
function cutEnd(now: number, last: SQL | number): SQL<number> {
  return sql<number>`min(enrollments.expires_at, max(${last},
    CASE WHEN enrollments.held_for IS NULL THEN 0 ELSE ${now + holdMs} END,
    coalesce((SELECT CASE o.status WHEN 'open' THEN o.expires_at + ${graceMs}
        ELSE enrollments.expires_at END FROM checkouts o
      WHERE o.enrollment_id = enrollments.id AND o.status IN ('open', 'confirming')), 0)))`;
}

/** An offer that would be cut: when it ends now and then, in ms; null if it ends at once. */
export type CutOffer = { id: string; name: string; before: number; after: number | null };

/** Reads which offers of a cohort `cutOffers` would cut, by the new last moment. */
export function offersToCut(ctx: Acting, cohortId: string, now: Date, last: number) {
  const end = cutEnd(now.getTime(), last);
  return db.all<CutOffer>(sql`SELECT enrollments.id, p.name, enrollments.expires_at AS before,
      CASE WHEN ${end} > ${now.getTime()} THEN ${end} END AS after
    FROM enrollments JOIN people p ON p.id = enrollments.person_id
    WHERE ${offersIn(cohortId, ctx.ownerId)} AND enrollments.expires_at > ${end}
    ORDER BY enrollments.name_key LIMIT ${shownCuts}`);
}

const shownCuts = 100;

/**
 * Cuts the offers of a cohort if its last moment for them has come nearer. Each becomes an offer of
 * this moment, so that an email tells its true end; one that is left no time ends at once.
 *
 * @param lastBefore that moment before the change: see `lastOfferOf`
 */
export function cutOffers(ctx: Acting, cohortId: string, now: Date, lastBefore: number) {
  const last = sql`(SELECT ${lastOfferAt} FROM cohorts c WHERE c.id = enrollments.cohort_id)`;
  const at = now.getTime();
  const end = cutEnd(at, last);
  const cut = db.run(sql`UPDATE enrollments SET
      (status, expires_at, over_capacity) = (SELECT iif(x.at > ${at}, 'offered', 'expired'),
        iif(x.at > ${at}, x.at, NULL), iif(x.at > ${at}, enrollments.over_capacity, 0)
        FROM (SELECT ${end} AS at) x),
      changed_by = 'owner', changed_by_user_id = ${ctx.viewer.id}, status_changed_at = ${at}
    WHERE ${offersIn(cohortId, ctx.ownerId)} AND ${last} < ${lastBefore} AND expires_at > ${end}`);
  // The status is the same, so no trigger writes it.
  const noted = db.run(sql`INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor,
      from_status, to_status, actor_user_id)
    SELECT owner_id, id, ${at}, 'owner', 'offered', 'offered', ${ctx.viewer.id} FROM enrollments
    WHERE ${offersIn(cohortId, ctx.ownerId)} AND ${last} < ${lastBefore}
      AND changed_by = 'owner' AND status_changed_at = ${at}`);
  return query({ cut, noted }, () => null);
}

/** Offers places by the clock: the statement, as far as whom. */
function offerAt(now: number): SQL {
  return sql`UPDATE enrollments
    SET status = 'offered', queue_no = NULL, offer_no = offer_no + 1, held_for = NULL,
      changed_by = 'clock', status_changed_at = ${now},
      expires_at = (SELECT min(${now} + c.offer_hours * 3600000, ${lastOfferAt})
        FROM cohorts c WHERE c.id = enrollments.cohort_id)
    WHERE id IN`;
}

/** Offers free places to the first on the waitlist, even if no one can join it any more. */
function promote(ctx: Paid, now: number, cohortId: string, ownerId: string | SQL) {
  return db.run(sql`${offerAt(now)} (SELECT w.id FROM enrollments w JOIN cohorts c ON c.id = w.cohort_id
      WHERE w.cohort_id = ${cohortId} AND c.owner_id = ${ownerId} AND w.status = 'waitlisted'
        AND ${isRunning} AND ${lastOfferAt} - ${now} >= ${shortestOfferMs}
        AND NOT ${cannotPay(ctx, now, sql`w.id`)}
      ORDER BY w.queue_no
      -- A limit of NULL, without such a cohort, would be an error.
      LIMIT coalesce((SELECT
        CASE WHEN c.capacity IS NULL THEN -1 ELSE max(0, c.capacity - ${takenAt(now)}) END
        FROM cohorts c WHERE c.id = ${cohortId}), 0))`);
}

/**
 * Offers what someone has left in several cohorts at once to the next people, after the change.
 *
 * @returns reads the ids of the emails to send at once
 */
export function passOn(
  ctx: Context,
  { now, ownerId }: { now: number; ownerId: string },
  cohortIds: readonly string[],
) {
  return query(
    {
      promoted: inEach(cohortIds, (id) => promote(ctx, now, id, ownerId)),
      mails: queueStatusMails(ctx, now, cohortIds),
    },
    ({ mails }) => mails,
  );
}

function listOf(cohortIds: readonly string[]): SQL {
  return sql`json_each(${JSON.stringify(cohortIds)}) AS wanted`;
}

/** What the clock does to many cohorts at once: expire, promote, write the emails. */
export function sweepPlaces(ctx: Context, cohortIds: readonly string[]) {
  const now = ctx.now().getTime();
  return query(
    {
      expired: db.all(sql`${expireAt(ctx, now)}
        AND cohort_id IN (SELECT wanted.value FROM ${listOf(cohortIds)}) RETURNING id`),
      over: db.all(sql`UPDATE enrollments
        SET status = 'expired', queue_no = NULL, changed_by = 'clock', status_changed_at = ${now}
        WHERE status IN ('waitlisted', 'applied') AND cohort_id IN (SELECT c.id
          FROM ${listOf(cohortIds)} JOIN cohorts c ON c.id = wanted.value WHERE c.ends_at <= ${now})
        RETURNING id`),
      promoted: db.all(sql`${offerAt(now)} (SELECT r.id FROM (
          SELECT w.id, row_number() OVER (PARTITION BY w.cohort_id ORDER BY w.queue_no) AS nth,
            CASE WHEN c.capacity IS NULL THEN 1000000 ELSE c.capacity - ${takenAt(now)} END AS free
          FROM ${listOf(cohortIds)} JOIN cohorts c ON c.id = wanted.value
            JOIN enrollments w ON w.cohort_id = c.id AND w.status = 'waitlisted'
          WHERE ${isRunning} AND ${lastOfferAt} - ${now} >= ${shortestOfferMs}
            AND NOT ${cannotPay(ctx, now, sql`w.id`)}) r
        WHERE r.nth <= r.free)
        RETURNING id`),
      mails: queueStatusMails(ctx, now, cohortIds),
    },
    ({ expired, over, promoted }) => ({
      expired: expired.length + over.length,
      promoted: promoted.length,
    }),
  );
}
