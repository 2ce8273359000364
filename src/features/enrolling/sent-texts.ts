import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';

// Where the browser puts the address in.
const address = '#';

/** What is said once a public form was sent, but for what its link does. */
export function sentTexts(i18n: I18n) {
  return {
    pending: i18n._(msg`Sending…`),
    sentTitle: i18n._(msg`Check your email`),
    sent: i18n._(msg`We’ve sent a link to ${address}.`),
    spam: i18n._(
      msg`Didn’t get it? Check your spam folder. If you’ve already asked today, look for our earlier email.`,
    ),
    back: i18n._(msg`Use another address`),
    resend: i18n._(msg`Resend email`),
    resent: i18n._(msg`Sent again. Older links still work.`),
  };
}
