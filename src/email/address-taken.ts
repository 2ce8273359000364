import 'server-only';
import { msg } from '@lingui/core/macro';
import { i18nFor } from '#i18n/server.ts';
import { type Addressee, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/**
 * Sent to an address that was entered for a new account or an address change, but has an account
 * already. Only the owner of the mailbox learns this; the page says the same as always.
 */
export function addressTaken(to: Addressee): Promise<Message> {
  const i18n = i18nFor(to.language);
  return composeMail(
    {
      to: to.email,
      subject: i18n._(msg`This address already has a Lectern account`),
      greeting: i18n._(msg`Hello,`),
      paragraph: i18n._(
        msg`Somebody asked to use this address for another account of Lectern. It already has an account of its own, so nothing was changed. If it was you, log in to the account of this address and delete it first, or choose another address.`,
      ),
      notMine: i18n._(msg`If it was not you, you need not do anything: your account is safe.`),
    },
    i18n,
    to.language,
  );
}
