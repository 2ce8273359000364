import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { hasAgreed, isLive } from '#db/people.ts';
import { type Need, outboxKinds, traitsOf } from '#email/kinds.ts';
import { balanceOf, isConfirming, isLeftAlone } from '#features/ledger/balances.ts';
import { kindIn } from '#features/outbox/kind-in.ts';
import { dayMs } from '#lib/time/calendar.ts';

/** Emails `m` with what they are about, as it is now. Null where there is no such thing. */
export const mailsWithFacts = sql`mails_due m
  LEFT JOIN mail_texts t ON t.id = m.text_id
  LEFT JOIN users u ON u.id = m.owner_id
  LEFT JOIN enrollments e ON e.id = m.enrollment_id
  LEFT JOIN cohorts c ON c.id = coalesce(e.cohort_id,
    CASE m.kind WHEN 'enrollment_open' THEN m.cohort_id END)
  LEFT JOIN people p ON p.id = e.person_id
  LEFT JOIN meetings g ON g.id = CASE m.kind
      WHEN 'meeting_reminder' THEN ${factOf('meeting.id')} END
    AND g.cancelled_at IS NULL`;

/** What email `m` says, wherever it is kept; see `Payload` in email/payload.ts. */
function factOf(path: string): SQL {
  const json = sql.raw(`'$.${path}'`);
  return sql`coalesce(m.payload ->> ${json}, t.facts ->> ${json})`;
}

const isInUse = sql`(c.deleted_at IS NULL AND c.archived_at IS NULL)`;

/** Whether the cohort still has the dates that an email says. */
const areDatesSame = sql`(c.starts_on = ${factOf('cohort.starts_on')}
  AND c.ends_on = ${factOf('cohort.ends_on')} AND c.time_zone = ${factOf('cohort.time_zone')})`;

/** Whether what a reminder is about is still to be at that time, and its owner wants reminders. */
const isStillToCome = sql`(c.time_zone = ${factOf('cohort.time_zone')} AND CASE m.kind
  WHEN 'starts_soon' THEN c.reminds_start AND c.starts_on = ${factOf('cohort.starts_on')}
  ELSE CASE ${factOf('meeting.which')} WHEN 'day' THEN c.reminds_day_before
      ELSE c.reminds_hour_before END
    AND g.starts_local IS ${factOf('meeting.starts_local')} END)`;

/**
 * Whether an enrollment is as it was when the email was written: neither out and in, nor cut. Someone
 * who goes to pay late may have a place for longer than the email says.
 */
function isPlaceSame(now: number | SQL): SQL {
  const until = sql`(m.payload ->> '$.enrollment.expires_at')`;
  return sql`(coalesce(m.payload ->> '$.enrollment.since', e.status_changed_at)
      = e.status_changed_at
    AND CASE WHEN e.expires_at IS NULL THEN ${until} IS NULL
      ELSE e.expires_at >= ${until} AND ${until} > ${now} END)`;
}

/** The status of an enrollment that an email is about; null for any. */
const statusOfKind = sql`CASE m.kind ${sql.join(
  outboxKinds.flatMap((kind) => {
    const { status } = traitsOf[kind];
    return status === undefined ? [] : [sql.raw(`WHEN '${kind}' THEN '${status}'`)];
  }),
  sql` `,
)} END`;

/**
 * Whether who an email is about is still in its cohort, which is in use, with its status. Money is
 * received in the archive, too.
 */
const isInPlace = sql`(e.cohort_id IS coalesce(m.cohort_id, e.cohort_id) AND (${isInUse}
    OR (c.deleted_at IS NULL AND ${kindIn('m', ({ needed }) => needed === 'entry_stands')}))
  AND e.status = coalesce(${statusOfKind}, e.status))`;

/** When emails are needed that are about no enrollment, or also about one that is gone. */
function needsWithoutPlace(now: number | SQL) {
  return {
    always: sql`1`,
    link_valid: sql`coalesce(m.payload ->> '$.request.expires_at',
      m.payload ->> '$.interest.expires_at') > ${now}`,
    subscribed: sql`u.roster_news`,
    enrollment_open: sql`c.id IS NOT NULL AND ${isInUse}`,
    // Its cohort may be deleted, with the account of its owner.
    cohort_cancelled: sql`e.id IS NULL OR c.deleted_at IS NOT NULL`,
    // Not if it was taken out of the archive since, even if it is there again.
    cohort_archived: sql`c.archived_at = ${factOf('written_at')} AND ${isLive}`,
  } satisfies Partial<Record<Need, SQL>>;
}

/** When all others are needed, if `isInPlace`. */
function needsInPlace(now: number | SQL): Record<PlaceNeed, SQL> {
  return {
    status_same: sql`1`,
    place_same: isPlaceSame(now),
    // Once they have paid, it is the bank that answers.
    answer_awaited: sql`${isPlaceSame(now)} AND NOT ${isConfirming}`,
    invitation_open: sql`c.reminds_invited AND ${isPlaceSame(now)}`,
    dates_same: sql`${areDatesSame} AND ${isLive}`,
    // Of another amount, or at an address that was corrected since, it would be wrong.
    amount_same: sql`${factOf('owed.minor')} = ${balanceOf} AND ${hasAgreed} AND NOT ${isLeftAlone}`,
    still_completed: sql`e.completed_at IS NOT NULL AND c.sends_certificates`,
    // What was taken back was not paid.
    entry_stands: sql`NOT EXISTS (SELECT 1 FROM ledger_entries r
      WHERE r.reverses_id = ${factOf('receipt.entry_id')})`,
    reader_same: sql`p.no_reminders_at IS NULL AND m.to_canonical = p.email_canonical
      AND e.status IN ('enrolled', 'waitlisted', 'offered')`,
    release_wanted: sql`p.no_reminders_at IS NULL AND c.announces_releases`,
    // Not to someone who has come back since it was written.
    nudge_wanted: sql`p.no_reminders_at IS NULL AND c.sends_nudges AND e.completed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM learning y
        WHERE y.enrollment_id = e.id AND y.last_seen_at > ${factOf('written_at')})`,
    reminder_due: sql`p.no_reminders_at IS NULL AND ${isStillToCome}`,
  };
}

type PlaceNeed = Exclude<Need, keyof ReturnType<typeof needsWithoutPlace>>;

/**
 * Whether what email `m` of `mailsWithFacts` says is still so: nothing is sent about a cohort in
 * the trash, to someone who has left, or of an offer that was answered or has another end; and no
 * reminder of what has moved, was canceled or is not wanted.
 */
export function isStillNeeded(now: number | SQL): SQL<0 | 1> {
  return sql<0 | 1>`coalesce(CASE ${casesOf(needsWithoutPlace(now))}
    WHEN ${isInPlace} THEN CASE ${casesOf(needsInPlace(now))} END END, 0)`;
}

function casesOf(needs: Partial<Record<Need, SQL>>): SQL {
  const cases = Object.entries(needs).map(
    ([need, condition]) =>
      sql`WHEN ${kindIn('m', ({ needed = 'place_same' }) => needed === need)} THEN ${condition}`,
  );
  return sql.join(cases, sql` `);
}

/** Whether a reminder would be wrong by now: the session has begun, or the first day is over. */
export function isLate(now: number): SQL<0 | 1> {
  return sql<0 | 1>`coalesce(CASE m.kind WHEN 'starts_soon' THEN c.starts_at <= ${now - dayMs}
    WHEN 'meeting_reminder' THEN ${factOf('meeting.starts_at')} <= ${now} END, 0)`;
}
