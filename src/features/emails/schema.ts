import * as z from 'zod/mini';
import { messageAudiences } from '#db/values.ts';
import { participantMailKinds } from '#email/kinds.ts';

/** Which emails of a cohort go out that not everyone wants. */
export const EmailSwitches = z.strictObject({
  invitation_reminder: z.boolean(),
  start_reminder: z.boolean(),
  day_before_reminder: z.boolean(),
  hour_before_reminder: z.boolean(),
  announces_releases: z
    .boolean()
    .check(z.describe('Whether people are told when a section of lessons opens for them')),
  sends_nudges: z
    .boolean()
    .check(z.describe('Whether people in an open run are reminded who have stopped')),
});
export type EmailSwitches = z.output<typeof EmailSwitches>;

/** A change of some of them. */
export const EmailSwitchesPatch = z.partial(EmailSwitches);
export type EmailSwitchesPatch = z.output<typeof EmailSwitchesPatch>;

/** How many emails of a kind have gone, of an open run at most 500, and when the last did. */
export const SentEmails = z.object({
  kind: z.enum(participantMailKinds),
  count: z.int(),
  last_at: z.iso.datetime(),
});

/**
 * How many emails of a kind are to go, and when the first does; reminders of live sessions one by
 * one. Those that are not written yet go to everyone enrolled by then. Of an open run, at most 500.
 */
export const DueEmails = z.object({
  kind: z.enum(participantMailKinds),
  /** The live session that they are about; null for all others. */
  session: z.nullable(z.string()),
  count: z.int(),
  next_at: z.iso.datetime(),
});

/** What was written to everyone who was enrolled, and to how many. */
export const GroupMessage = z.object({
  id: z.uuid(),
  /** Null for changes of live sessions. */
  subject: z.nullable(z.string()),
  text: z.nullable(z.string()),
  /** How many live sessions it is about; null for a message. */
  changes: z.nullable(z.int()),
  audience: z.enum(messageAudiences).check(z.describe('Whom it was for')),
  recipients: z.int(),
  left_out: z.int(),
  created_at: z.iso.datetime(),
});

/** An email that has not arrived, or was not welcome. */
export const ReturnedEmail = z.object({
  kind: z.enum(participantMailKinds),
  email: z.string(),
  /** Null for an address that is on no list. */
  name: z.nullable(z.string()),
  enrollment_id: z.nullable(z.uuid()),
  reason: z
    .enum(['bounced', 'complained', 'suppressed', 'unwelcome', 'failed'])
    .check(
      z.describe(
        'bounced: sent back. complained: marked as spam. suppressed: not sent, because an earlier one was sent back. unwelcome: not sent, because an earlier one was marked as spam. failed: given up',
      ),
    ),
  at: z.iso.datetime(),
});

/** The emails of a cohort in the last 90 days, by kind. */
export const CohortEmails = z.object({
  ...EmailSwitches.shape,
  has_releases: z
    .boolean()
    .check(z.describe('Whether a section of lessons opens later than at once')),
  /** Whether invitations wait, because people mark the owner's emails as spam. */
  is_paused: z.boolean(),
  due: z.array(DueEmails),
  sent: z.array(SentEmails),
  /** Reminders that were not sent, because it was too late. */
  late: z.array(SentEmails),
  /** How many live sessions differ from what people who are enrolled know. */
  unannounced: z.int(),
  /** Of the schedule that this was read from; see `DismissalInput`. */
  schedule_mark: z.string(),
  /** The last 20. */
  messages: z.array(GroupMessage),
  /** The last 50. */
  returned: z.array(ReturnedEmail),
});
export type CohortEmails = z.infer<typeof CohortEmails>;
