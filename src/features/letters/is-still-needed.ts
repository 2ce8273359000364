import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { hasAgreed, isLive } from '#db/people.ts';
import type { EnrollmentStatus, MailKind } from '#db/values.ts';
import { balanceOf } from '#features/ledger/accounts.ts';

/** The statuses in which an email of the kind still makes sense. */
const statusOf: Partial<Record<MailKind, EnrollmentStatus>> = {
  applied: 'applied',
  refused: 'refused',
  enrolled: 'enrolled',
  added: 'enrolled',
  transferred: 'enrolled',
  starts_soon: 'enrolled',
  meeting_reminder: 'enrolled',
  meeting_changed: 'enrolled',
  meeting_cancelled: 'enrolled',
  message: 'enrolled',
  payment_reminder: 'enrolled',
  waitlisted: 'waitlisted',
  offer: 'offered',
  offer_expiring: 'offered',
  offer_expired: 'expired',
  invitation: 'invited',
  invitation_reminder: 'invited',
  removed: 'removed',
  left: 'left',
};

const statusWanted = sql`CASE m.kind ${sql.join(
  Object.entries(statusOf).map(([kind, status]) => sql`WHEN ${kind} THEN ${status}`),
  sql` `,
)} END`;

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

/** What email `m` says, wherever it is kept; see `Payload` in email/participant-letter.ts. */
function factOf(path: string): SQL {
  const json = sql.raw(`'$.${path}'`);
  return sql`coalesce(m.payload ->> ${json}, t.facts ->> ${json})`;
}

const isInUse = sql`(c.deleted_at IS NULL AND c.archived_at IS NULL)`;

/** Whether the cohort still has the dates that an email says. */
const areSameDates = sql`(c.starts_on = ${factOf('cohort.starts_on')}
  AND c.ends_on = ${factOf('cohort.ends_on')} AND c.time_zone = ${factOf('cohort.time_zone')})`;

/** Whether what a reminder is about is still to be at that time, and its owner wants reminders. */
const isStillToCome = sql`(c.time_zone = ${factOf('cohort.time_zone')} AND CASE m.kind
  WHEN 'starts_soon' THEN c.reminds_start AND c.starts_on = ${factOf('cohort.starts_on')}
  ELSE CASE ${factOf('meeting.which')} WHEN 'day' THEN c.reminds_day_before
      ELSE c.reminds_hour_before END
    AND g.starts_local IS ${factOf('meeting.starts_local')} END)`;

/** Whether an enrollment is as it was when the email was written: neither out and in, nor cut. */
const isSamePlace = sql`(coalesce(m.payload ->> '$.enrollment.since', e.status_changed_at)
    = e.status_changed_at
  AND e.expires_at IS (m.payload ->> '$.enrollment.expires_at'))`;

/**
 * Whether what email `m` of `mailsWithFacts` says is still so: nothing is sent about a cohort in
 * the trash, to someone who has left, or of an offer that was answered or has another end; and no
 * reminder of what has moved, was canceled or is not wanted.
 */
export function isStillNeeded(now: number | SQL): SQL<0 | 1> {
  return sql<0 | 1>`coalesce(CASE
    WHEN m.kind IN ('preview', 'already_there', 'write_to_instructor', 'new_link') THEN 1
    WHEN m.kind = 'roster_news' THEN u.roster_news
    WHEN m.kind = 'confirm_interest' THEN m.payload ->> '$.interest.expires_at' > ${now}
    WHEN m.kind IN ('confirm_request', 'data_link', 'address_proof')
      THEN m.payload ->> '$.request.expires_at' > ${now}
    WHEN m.kind = 'enrollment_open' THEN c.id IS NOT NULL AND ${isInUse}
    -- Its cohort may be deleted, with the account of its owner.
    WHEN m.kind = 'cohort_cancelled' THEN e.id IS NULL OR c.deleted_at IS NOT NULL
    -- Whom it is about may have been moved to another cohort.
    WHEN e.cohort_id IS NOT coalesce(m.cohort_id, e.cohort_id) OR NOT ${isInUse} THEN 0
    -- Of another amount, or at an address that was corrected since, it would be wrong.
    WHEN m.kind = 'payment_reminder'
      THEN e.status = 'enrolled' AND ${factOf('owed.minor')} = ${balanceOf} AND ${hasAgreed}
    WHEN m.kind = 'dates_moved' THEN ${areSameDates} AND ${isLive}
    WHEN e.status IS NOT ${statusWanted} THEN 0
    WHEN m.kind = 'message'
      THEN p.no_reminders_at IS NULL AND m.to_canonical = p.email_canonical
    WHEN m.kind IN ('starts_soon', 'meeting_reminder')
      THEN p.no_reminders_at IS NULL AND ${isStillToCome}
    WHEN m.kind IN ('meeting_changed', 'meeting_cancelled') THEN 1
    WHEN m.kind = 'invitation_reminder' AND c.reminds_invited = 0 THEN 0
    ELSE ${isSamePlace} AND (e.expires_at IS NULL OR e.expires_at > ${now}) END, 0)`;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Whether a reminder would be wrong by now: the session has begun, or the first day is over. */
export function isLate(now: number): SQL<0 | 1> {
  return sql<0 | 1>`coalesce(CASE m.kind WHEN 'starts_soon' THEN c.starts_at <= ${now - dayMs}
    WHEN 'meeting_reminder' THEN ${factOf('meeting.starts_at')} <= ${now} END, 0)`;
}
