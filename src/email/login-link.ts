import 'server-only';
import { msg } from '@lingui/core/macro';
import { type Addressee, type Asked, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/** The email that signs the recipient in. Its link is valid for 10 minutes. */
export function loginLink(to: Addressee, link: string, asked: Asked): Promise<Message> {
  return composeMail(to, {
    subject: msg`Your Lectern login link`,
    preheader: msg`Use it within 10 minutes to log in.`,
    title: msg`Your login link`,
    paragraph: msg`Here’s your login link.`,
    action: {
      label: msg`Log in to Lectern`,
      link,
      asked,
      validity: msg`This link works once and expires in 10 minutes.`,
    },
    notMine: msg`If you didn’t ask for this link, please ignore this email. Don’t share it: anyone with this link can log in to your account.`,
    why: msg`You’re receiving this email because someone asked to log in to Lectern with this address.`,
  });
}
