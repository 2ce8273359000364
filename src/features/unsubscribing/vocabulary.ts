import { msg } from '#i18n/msg.ts';
import type { Errors } from '#lib/vocabulary.ts';

export const errors = {
  unsubscribe_link_invalid: {
    status: 400,
    text: msg`This link isn’t complete. Please open it again from the email.`,
  },
} satisfies Errors;

export const events = { subscription_changed: true };
