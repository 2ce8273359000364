import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import {
  AnnouncementInput,
  AnnouncementSent,
  MessageInput,
  MessagePreview,
  MessageSent,
} from './schema.ts';
import { exported } from './vocabulary.ts';

const recipients = { description: msg`To how many people it goes` };

export const named = {
  MessageInput: describeFields(MessageInput, {
    subject: { description: msg`The subject, up to 120 characters` },
    text: { description: msg`Plain text, up to 5,000 characters` },
    dry_run: { description: msg`Only says what would be sent` },
  }),
  MessageSent: describeFields(MessageSent, {
    recipients,
    left_out: { description: msg`How many enrolled people have turned messages off` },
  }),
  MessagePreview: describeFields(MessagePreview, {
    recipients,
    left_out: { description: msg`How many enrolled people have turned messages off` },
    email: { description: msg`The email as people would get it` },
    summary: { description: msg`To whom it would go, in the language of the request` },
    action: { description: msg`The words of a button that sends it` },
  }),
  AnnouncementInput: describeFields(AnnouncementInput, {
    note: {
      description: msg`A note to add to the email, up to 500 characters; left out while spam complaints pause the caller’s messages`,
    },
  }),
  AnnouncementSent: describeFields(AnnouncementSent, {
    recipients,
    changes: { description: msg`How many live sessions it is about` },
  }),
};

export const unnamed = [
  describeFields(exported.group_messages.item, {
    cohort_id: { description: msg`The cohort to which it went` },
    subject: { description: msg`The subject; null for changes of live sessions` },
    text: { description: msg`What the caller wrote; null for changes without a note` },
    recipients: { description: msg`To how many people it went` },
    left_out: { description: msg`How many enrolled people have turned messages off` },
    changes: { description: msg`How many live sessions it is about; null for a message` },
  }),
];
