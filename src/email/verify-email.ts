import 'server-only';
import { msg } from '@lingui/core/macro';
import { type Addressee, composeMail, type RequestOrigin } from './layout.ts';
import type { Message } from './send.ts';

/**
 * The first email to a new address, which confirms the mailbox and signs in: by its link for 24
 * hours, by its code for 10 minutes.
 */
export function verifyEmail(
  to: Addressee,
  link: string,
  origin: RequestOrigin,
  code: string | null,
): Promise<Message> {
  return composeMail(to, {
    subject: msg`Confirm your email address for Lectern`,
    preheader: msg`Your account is almost ready.`,
    title: msg`Confirm your email address`,
    paragraph: msg`Welcome to Lectern. Confirm your email address to finish setting up your account: open the link, or enter the code in the window where you signed up.`,
    action: {
      label: msg`Confirm my email address`,
      link,
      ...(code !== null && { code }),
      origin,
      validity: msg`The link works once and expires in 24 hours, the code in 10 minutes.`,
    },
    notMine: msg`If you didn’t sign up for Lectern, please ignore this email: nothing happens unless you use the link or the code. Don’t share them with anyone.`,
    why: msg`You’re receiving this email because someone signed up for Lectern with this address.`,
  });
}
