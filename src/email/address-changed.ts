import 'server-only';
import { msg } from '@lingui/core/macro';
import { i18nFor } from '#i18n/server.ts';
import { maskEmail } from '#lib/email-address.ts';
import { type Addressee, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/**
 * Sent to the address that an account had until now.
 *
 * @param newEmail shown masked: enough for its owner to recognize it
 * @param undoLink restores the address; valid for 7 days
 */
export function addressChanged(
  to: Addressee,
  newEmail: string,
  undoLink: string,
): Promise<Message> {
  const i18n = i18nFor(to.language);
  const { firstName } = to;
  const masked = maskEmail(newEmail);
  return composeMail(
    {
      to: to.email,
      subject: i18n._(msg`Your Lectern email address has changed`),
      greeting: i18n._(msg`Hello ${firstName},`),
      paragraph: i18n._(
        msg`Your Lectern account now uses ${masked}. You can no longer log in with this address, and you’ve been logged out everywhere except in the browser that confirmed the change.`,
      ),
      action: {
        label: i18n._(msg`Undo this change`),
        link: undoLink,
        validity: i18n._(
          msg`This link works once, within the next 7 days. It restores this address and logs out every browser.`,
        ),
      },
      notMine: i18n._(
        msg`If it wasn’t you, someone else has accessed your account. Undo this change right away, or reply to this email so that we can help.`,
      ),
    },
    i18n,
    to.language,
  );
}
