import * as z from 'zod/mini';
import { ownRows } from '#db/personal-data.ts';
import { groupMessages } from '#db/schema/messages.ts';
import { messageAudiences } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import { type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(422, {
  cohort_archived: msg`This cohort is archived, so it sends no emails. Take it out of the archive first.`,
  changes_outdated: msg`The sessions have changed since you opened this page, so nothing was marked as announced. Check the changes again.`,
  message_without_recipients: msg`There’s no one to write to, or everyone has turned messages off.`,
  messages_paused: msg`People have marked your emails as spam, so no messages go out for now. Please contact us (see the privacy page).`,
  nothing_to_announce: msg`Everyone already knows about these changes. Please reload this page.`,
});

export const validation = {
  message_subject_required: msg`Please enter a subject`,
  message_subject_too_long: msg`Subject must be at most 120 characters`,
  message_text_required: msg`Please write something`,
  message_text_too_long: msg`Message must be at most 5,000 characters`,
} satisfies ValidationTexts;

export const limits = {
  messages_per_cohort: ['3/d'],
  /** Emails to them about changed live sessions. */
  announcements_per_cohort: ['10/d'],
} as const satisfies LimitRates;

export const events = { message_queued: true, changes_announced: true };

export const exported = {
  group_messages: ownRows(groupMessages, { fields: { audience: z.enum(messageAudiences) } }),
};
