import 'server-only';
import { msg } from '@lingui/core/macro';
import { i18nFor } from '#i18n/server.ts';
import { maskEmail } from '#lib/email-address.ts';
import { type Addressee, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/**
 * To the address that an account had until now.
 *
 * @param newEmail shown masked: enough for its owner to recognise it
 */
export function addressChanged(to: Addressee, newEmail: string): Promise<Message> {
  const i18n = i18nFor(to.language);
  const { firstName } = to;
  const masked = maskEmail(newEmail);
  return composeMail(
    {
      to: to.email,
      subject: i18n._(msg`Your email address for Lectern has changed`),
      greeting: i18n._(msg`Hello ${firstName},`),
      paragraph: i18n._(
        msg`Your Lectern account now uses the address ${masked}. This address no longer opens it, and every browser but the one that confirmed the change has been logged out.`,
      ),
      notMine: i18n._(
        msg`If it was not you, somebody else has been in your account. Please reply to this email at once, so that we can help.`,
      ),
    },
    i18n,
    to.language,
  );
}
