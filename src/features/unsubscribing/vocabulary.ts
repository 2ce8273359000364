import { msg } from '#i18n/msg.ts';
import { withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(400, {
  unsubscribe_link_invalid: msg`This link isn’t complete. Please open it again from the email.`,
});

export const events = { subscription_changed: true };
