import 'server-only';
import { msg } from '@lingui/core/macro';
import { type Addressee, composeMail, type RequestOrigin } from './layout.ts';
import type { Message } from './send.ts';

/** The email that signs the recipient in. Its link and its code are valid for 10 minutes. */
export function loginLink(
  to: Addressee,
  link: string,
  origin: RequestOrigin,
  code: string | null,
): Promise<Message> {
  return composeMail(to, {
    subject: msg`Your Lectern login link`,
    preheader: msg`Use it within 10 minutes to log in.`,
    title: msg`Your login link`,
    paragraph: msg`Here’s your login link. Or enter the code in the window where you asked for it.`,
    action: {
      label: msg`Log in to Lectern`,
      link,
      ...(code !== null && { code }),
      origin,
      validity: msg`The link and the code work once and expire in 10 minutes.`,
    },
    notMine: msg`If you didn’t ask for this, please ignore this email. Don’t share the link or the code with anyone: either one is enough to log in to your account.`,
    why: msg`You’re receiving this email because someone asked to log in to Lectern with this address.`,
  });
}
