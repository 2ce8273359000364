import 'server-only';
import { msg } from '@lingui/core/macro';
import { EmailPreview } from '#features/letters/schema.ts';
import { describeFields } from '#lib/schema-docs.ts';
import {
  CohortEmails,
  DueEmails,
  EmailSwitches,
  EmailSwitchesPatch,
  GroupMessage,
  ReturnedEmail,
  SentEmails,
} from './schema.ts';

const kind = { description: msg`What the email says` };
const count = { description: msg`How many` };
const switches = {
  invitation_reminder: {
    description: msg`Whether people are reminded three days before their invitation ends`,
  },
  start_reminder: {
    description: msg`Whether people who are enrolled are reminded of the first day`,
  },
  day_before_reminder: {
    description: msg`Whether they are reminded of each live session a day before it`,
  },
  hour_before_reminder: {
    description: msg`Whether they are reminded of each live session an hour before it`,
  },
};

export const named = {
  EmailSwitches: describeFields(EmailSwitches, switches),
  EmailSwitchesPatch: describeFields(EmailSwitchesPatch, switches),
  CohortEmails: describeFields(CohortEmails, {
    ...switches,
    is_paused: {
      description: msg`Whether invitations wait, because people mark the caller’s emails as spam`,
    },
    due: { description: msg`What goes out next` },
    sent: { description: msg`What has gone out in the last 90 days` },
    late: { description: msg`Reminders that were not sent, because it was too late` },
    unannounced: {
      description: msg`How many live sessions differ from what people who are enrolled were last told`,
    },
    messages: { description: msg`What was written to everyone: the last 20` },
    returned: { description: msg`Emails that did not arrive or were not welcome: the last 50` },
  }),
  EmailPreview: describeFields(EmailPreview, {
    kind,
    from: { description: msg`The name of the sender` },
    reply_to: { description: msg`Where answers go` },
    subject: { description: msg`The subject` },
    text: { description: msg`The email as plain text` },
  }),
};

export const unnamed = [
  describeFields(DueEmails, {
    kind,
    session: { description: msg`The live session that they are about; null for all others` },
    count,
    next_at: { description: msg`When the first goes out` },
  }),
  describeFields(SentEmails, {
    kind,
    count,
    last_at: { description: msg`When the last went out` },
  }),
  describeFields(GroupMessage, {
    id: { description: msg`Identifies it` },
    subject: { description: msg`The subject; null for changes of live sessions` },
    text: { description: msg`What the caller wrote; null for changes without a note` },
    changes: { description: msg`How many live sessions it is about; null for a message` },
    recipients: { description: msg`To how many people it went` },
    left_out: { description: msg`How many enrolled people have turned messages off` },
    created_at: { description: msg`When it was written` },
  }),
  describeFields(ReturnedEmail, {
    kind,
    email: { description: msg`An email address` },
    name: { description: msg`The name; null for an address that is on no list` },
    enrollment_id: { description: msg`The person in the cohort; null without one` },
    reason: {
      description: msg`bounced: sent back. complained: marked as spam. suppressed, unwelcome: not sent, because of an earlier one. failed: given up`,
    },
    at: { description: msg`When it happened` },
  }),
];
