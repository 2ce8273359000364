import 'server-only';
import { msg } from '@lingui/core/macro';
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
  const masked = maskEmail(newEmail);
  return composeMail(to, {
    subject: msg`Your Lectern email address has changed`,
    preheader: msg`Not you? You have 7 days to undo it.`,
    title: msg`Your email address has changed`,
    paragraph: msg`Your Lectern account now uses ${masked}. You can no longer log in with this address, and you’ve been logged out everywhere except in the browser that confirmed the change.`,
    action: {
      label: msg`Undo this change`,
      link: undoLink,
      validity: msg`This link works once and expires in 7 days. It restores this address and logs out every browser.`,
    },
    notMine: msg`If it wasn’t you, someone else has accessed your account. Undo this change right away, or reply to this email so that we can help.`,
    isAlert: true,
    why: msg`You’re receiving this email because your Lectern account used this address until now.`,
  });
}
