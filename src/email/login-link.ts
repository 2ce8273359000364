import 'server-only';
import { msg } from '@lingui/core/macro';
import { i18nFor } from '#i18n/server.ts';
import { type Addressee, type Asked, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/** The email that signs the recipient in. Its link is valid for 10 minutes. */
export function loginLink(to: Addressee, link: string, asked: Asked): Promise<Message> {
  const i18n = i18nFor(to.language);
  const { firstName } = to;
  return composeMail(
    {
      to: to.email,
      subject: i18n._(msg`Your login link for Lectern`),
      greeting: i18n._(msg`Hello ${firstName},`),
      paragraph: i18n._(
        msg`Here is the link you asked for. It takes you straight to your courses.`,
      ),
      action: {
        label: i18n._(msg`Log in to Lectern`),
        link,
        asked,
        validity: i18n._(msg`This link works once, within the next 10 minutes.`),
      },
      notMine: i18n._(
        msg`If you did not ask for this link, please ignore this email. Nobody can log in without it, so do not pass it on.`,
      ),
    },
    i18n,
    to.language,
  );
}
