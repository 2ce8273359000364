import * as z from 'zod/mini';
import { messageAudiences } from '#db/values.ts';
import { EmailPreview } from '#features/letters/schema.ts';
import { code } from '#features/places/person-fields.ts';
import { characterCount, isPrintableText } from '#lib/text.ts';
import { lengthRule, plainText, requiredLine, rule } from '#lib/validation-rule.ts';

/** The longest subject and the longest text, in characters. */
const maxSubject = 120;
const maxText = 5_000;

const subject = requiredLine(maxSubject, {
  required: 'message_subject_required',
  tooLong: 'message_subject_too_long',
  characters: 'text_characters',
});

const text = z.string(code('message_text_required')).check(
  z.trim(),
  lengthRule('message_text_too_long', maxText),
  z.normalize('NFC'),
  z.overwrite((typed) => typed.replace(/\r\n?/g, '\n')),
  rule('message_text_required', (typed) => typed !== ''),
  rule('message_text_too_long', (typed) => characterCount(typed) <= maxText),
  rule('text_characters', isPrintableText),
);

/** What an instructor writes to people of a cohort. */
export const MessageInput = z.strictObject({
  audience: z
    ._default(z.enum(messageAudiences, code('unknown_value')), 'enrolled')
    .check(
      z.describe(
        'stuck: who started an evergreen course and has stopped. owing: who is enrolled and still owes something. chosen: those of `enrollments`',
      ),
    ),
  enrollments: z._default(z.array(z.uuid()).check(z.maxLength(200)), []),
  subject,
  text,
  /** Only says what it would be, and to how many people it would go. */
  dry_run: z._default(z.boolean(), false),
});
export type MessageInput = z.output<typeof MessageInput>;

/** To how many people it goes. */
export const MessageSent = z.object({
  recipients: z.int(),
  /** Those of them who have asked for no messages. */
  left_out: z.int(),
});
export type MessageSent = z.infer<typeof MessageSent>;

/** The email as people would get it. */
export const MessagePreview = z.object({
  ...MessageSent.shape,
  email: EmailPreview,
  /** To whom it would go, and the words of the button that sends it, in the viewer's language. */
  summary: z.string(),
  action: z.string(),
});
export type MessagePreview = z.infer<typeof MessagePreview>;

/** What an instructor says about changes of live sessions. */
export const AnnouncementInput = z.strictObject({
  note: z._default(plainText(500, 'person_note_too_long'), null),
});
export type AnnouncementInput = z.output<typeof AnnouncementInput>;

/** Which changes count as known without an email. */
export const DismissalInput = z.strictObject({
  mark: z.optional(
    z
      .string()
      .check(
        z.maxLength(64),
        z.describe('The mark of the schedule that was read; refused if it is another one now'),
      ),
  ),
});
export type DismissalInput = z.output<typeof DismissalInput>;

/** To how many people how many changes are told. */
export const AnnouncementSent = z.object({ recipients: z.int(), changes: z.int() });
export type AnnouncementSent = z.infer<typeof AnnouncementSent>;
