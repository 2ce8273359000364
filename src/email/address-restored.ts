import 'server-only';
import { msg } from '@lingui/core/macro';
import { i18nFor } from '#i18n/server.ts';
import { maskEmail } from '#lib/email-address.ts';
import { type Addressee, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/**
 * Sent to the address that an account had until a former one was restored.
 *
 * @param restoredEmail shown masked: enough for its owner to recognize it
 */
export function addressRestored(to: Addressee, restoredEmail: string): Promise<Message> {
  const i18n = i18nFor(to.language);
  const { firstName } = to;
  const masked = maskEmail(restoredEmail);
  return composeMail(
    {
      to: to.email,
      subject: i18n._(msg`Your Lectern email address has changed`),
      greeting: i18n._(msg`Hello ${firstName},`),
      paragraph: i18n._(
        msg`Your Lectern account uses ${masked} again: the change was undone with the link we had emailed to that address. You can no longer log in with this address, and you’ve been logged out everywhere.`,
      ),
      notMine: i18n._(
        msg`If it wasn’t you, please reply to this email right away so that we can help.`,
      ),
    },
    i18n,
    to.language,
  );
}
