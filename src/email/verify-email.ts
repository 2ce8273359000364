import 'server-only';
import { msg } from '@lingui/core/macro';
import { type Addressee, type Asked, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/** The first email to a new address: its link confirms the mailbox and signs in, for 24 hours. */
export function verifyEmail(to: Addressee, link: string, asked: Asked): Promise<Message> {
  return composeMail(to, {
    subject: msg`Confirm your email address for Lectern`,
    preheader: msg`Your account is almost ready.`,
    title: msg`Confirm your email address`,
    paragraph: msg`Welcome to Lectern. Confirm your email address to finish setting up your account.`,
    action: {
      label: msg`Confirm my email address`,
      link,
      asked,
      validity: msg`This link works once and expires in 24 hours.`,
    },
    notMine: msg`If you didn’t sign up for Lectern, please ignore this email: nothing happens unless you click.`,
    why: msg`You’re receiving this email because someone signed up for Lectern with this address.`,
  });
}
