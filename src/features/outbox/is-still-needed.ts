import 'server-only';
import type { EnrollmentStatus, MailKind } from '#db/values.ts';
import type { InterestPayload } from '#email/interest-letter.ts';
import type { Payload } from '#email/participant-letter.ts';
import type { HeldMail } from './drain-outbox.ts';

/** The statuses in which an email of the kind still makes sense. */
export const statusOf: Partial<Record<MailKind, EnrollmentStatus>> = {
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

const live: (EnrollmentStatus | null)[] = [
  'invited',
  'applied',
  'waitlisted',
  'offered',
  'enrolled',
];

/**
 * Whether what an email says is still so: nothing is sent about a cohort in the trash, to someone
 * who has left, or of an offer that was answered or has another end; and no reminder of what has
 * moved, was canceled or is not wanted.
 */
export function isStillNeeded(mail: HeldMail, now: Date): boolean {
  const { kind, status } = mail;
  if (kind === 'roster_news') {
    return mail.wantsNews === 1;
  }
  if (kind === 'preview') {
    return true;
  }
  if (kind === 'invitation_reminder' && mail.remindsInvited === 0) {
    return false;
  }
  if (kind === 'confirm_interest') {
    const { interest }: InterestPayload = JSON.parse(mail.payload);
    return interest.expires_at > now.getTime();
  }
  const payload: Payload = JSON.parse(mail.payload);
  if (kind === 'confirm_request' || kind === 'data_link' || kind === 'address_proof') {
    return payload.request !== null && payload.request.expires_at > now.getTime();
  }
  if (kind === 'enrollment_open') {
    return mail.cohortId !== null && isInUse(mail);
  }
  if (kind === 'already_there' || kind === 'write_to_instructor' || kind === 'new_link') {
    return true;
  }
  if (kind === 'cohort_cancelled') {
    // Its cohort may be deleted, with the account of its owner.
    return status === null || mail.cohortDeletedAt !== null;
  }
  // Whom it is about may have been moved to another cohort.
  const cohortId = payload.cohort?.id ?? mail.cohortId;
  if (mail.cohortId !== cohortId) {
    return false;
  }
  if (!isInUse(mail)) {
    return false;
  }
  if (kind === 'payment_reminder') {
    // Of another amount, it would be wrong.
    return status === 'enrolled' && payload.owed?.minor === mail.owed;
  }
  if (kind === 'dates_moved') {
    const { cohort } = payload;
    const isSame =
      mail.startsOn === cohort?.starts_on &&
      mail.endsOn === cohort?.ends_on &&
      mail.timeZone === cohort?.time_zone;
    return isSame && live.includes(status);
  }
  if (status !== statusOf[kind]) {
    return false;
  }
  if (kind === 'starts_soon' || kind === 'meeting_reminder' || kind === 'message') {
    return mail.isUnsubscribed === 0 && isStillToCome(mail, payload);
  }
  const ends = payload.enrollment?.expires_at ?? null;
  return mail.expiresAt === null || (mail.expiresAt === ends && ends > now.getTime());
}

function isInUse({ cohortDeletedAt, cohortArchivedAt }: HeldMail): boolean {
  return cohortDeletedAt === null && cohortArchivedAt === null;
}

/** Whether what a reminder is about is still to be at that time, and its owner wants reminders. */
function isStillToCome(mail: HeldMail, { cohort, meeting }: Payload): boolean {
  if (mail.kind === 'message') {
    return true;
  }
  const isSameZone = mail.timeZone === cohort?.time_zone;
  if (meeting === undefined) {
    return isSameZone && mail.remindsStart === 1 && mail.startsOn === cohort?.starts_on;
  }
  const isWanted = meeting.which === 'day' ? mail.remindsDayBefore : mail.remindsHourBefore;
  return isSameZone && isWanted === 1 && mail.meetingStartsLocal === meeting.starts_local;
}
