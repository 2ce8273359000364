import 'server-only';
import { msg } from '@lingui/core/macro';
import { type Addressee, type Asked, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/** The email that signs the recipient in. Its link is valid for 10 minutes. */
export function loginLink(to: Addressee, link: string, asked: Asked): Promise<Message> {
  return composeMail(to, {
    subject: msg`Your login link for Lectern`,
    paragraph: msg`Here is the link you asked for. It takes you straight to your courses.`,
    action: {
      label: msg`Log in to Lectern`,
      link,
      asked,
      validity: msg`This link works once, within the next 10 minutes.`,
    },
    notMine: msg`If you did not ask for this link, please ignore this email. Nobody can log in without it, so do not pass it on.`,
  });
}
