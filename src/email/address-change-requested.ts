import 'server-only';
import { msg } from '@lingui/core/macro';
import { maskEmail } from '#lib/email-address.ts';
import { type Addressee, composeMail, type RequestOrigin } from './layout.ts';
import type { Message } from './send.ts';

/**
 * Notifies an account's present address that one of its sessions has requested a change.
 *
 * @param newEmail shown masked: enough for its owner to recognize it
 * @param stopLink lives as long as the change waits
 */
export function addressChangeRequested(
  to: Addressee,
  newEmail: string,
  stopLink: string,
  origin: RequestOrigin,
): Promise<Message> {
  const masked = maskEmail(newEmail);
  return composeMail(to, {
    subject: msg`Request to change your Lectern email address`,
    preheader: msg`Not you? You can still stop it.`,
    title: msg`Request to change your email address`,
    paragraph: msg`Someone asked to change the email address of your Lectern account to ${masked}. If it was you, you don’t need to do anything here: just open the link we sent to the new address.`,
    action: {
      label: msg`Stop this change`,
      link: stopLink,
      origin,
      validity: msg`This link works until the change is confirmed, for 24 hours at most.`,
    },
    notMine: msg`If it wasn’t you, stop the change, then log in and log out of all other sessions in your settings.`,
    isAlert: true,
    why: msg`You’re receiving this email because your Lectern account uses this address.`,
  });
}
