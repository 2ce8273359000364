import 'server-only';
import { msg } from '@lingui/core/macro';
import { maskEmail } from '#lib/email-address.ts';
import { type Addressee, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/**
 * Sent to the address that an account had until a former one was restored.
 *
 * @param restoredEmail shown masked: enough for its owner to recognize it
 */
export function addressRestored(to: Addressee, restoredEmail: string): Promise<Message> {
  const masked = maskEmail(restoredEmail);
  return composeMail(to, {
    subject: msg`Your Lectern email address has changed`,
    preheader: msg`It’s ${masked} again.`,
    title: msg`Your email address has changed`,
    paragraph: msg`Your Lectern account uses ${masked} again: the change was undone with the link we had emailed to that address. You can no longer log in with this address, and you’ve been logged out everywhere.`,
    notMine: msg`If it wasn’t you, please reply to this email right away so that we can help.`,
    isAlert: true,
    why: msg`You’re receiving this email because your Lectern account used this address until now.`,
  });
}
