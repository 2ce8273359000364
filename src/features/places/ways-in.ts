import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** How the owner brings people in, as options of a choice. */
export function waysIn(i18n: I18n) {
  return {
    invited: {
      value: 'invited',
      label: i18n._(msg`Invite`),
      description: i18n._(
        msg`They get an email and have 14 days to decide. An invitation doesn’t hold a place.`,
      ),
    },
    enrolled: {
      value: 'enrolled',
      label: i18n._(msg`Add now`),
      description: i18n._(msg`They’re enrolled right away and notified by email.`),
    },
    over: { description: i18n._(msg`They get a place even though none is free.`) },
  };
}
