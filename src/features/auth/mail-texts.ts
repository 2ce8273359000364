import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The texts of CheckYourEmail that sign-up and login share. */
export function mailTexts(i18n: I18n) {
  return {
    sendAgain: i18n._(msg`Send it again`),
    sending: i18n._(msg`Sending…`),
    sent: i18n._(msg`Sent. The newest email holds the link that works.`),
    back: i18n._(msg`Back`),
  };
}
