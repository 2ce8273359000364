import 'server-only';
import { msg } from '@lingui/core/macro';
import { type Addressee, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/**
 * Sent to an address that was entered for a new account or an address change, but has an account
 * already. Only the owner of the mailbox learns this; the page says the same as always.
 */
export function addressTaken(to: Addressee): Promise<Message> {
  return composeMail(to, {
    subject: msg`This address already has a Lectern account`,
    preheader: msg`Your account hasn’t changed.`,
    title: msg`You already have an account`,
    greeting: msg`Hello,`,
    paragraph: msg`Someone asked to use this address for another Lectern account. It already has its own account, so nothing was changed. If it was you, log in to the account with this address and delete it first, or choose another address.`,
    notMine: msg`If it wasn’t you, you don’t need to do anything: your account is safe.`,
    isAlert: true,
    why: msg`You’re receiving this email because your Lectern account uses this address.`,
  });
}
