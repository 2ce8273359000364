import 'server-only';
import { msg } from '@lingui/core/macro';
import { i18nFor } from '#i18n/server.ts';
import { type Addressee, type Asked, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/** The first email to a new address: its link confirms the mailbox and signs in, for 24 hours. */
export function verifyEmail(to: Addressee, link: string, asked: Asked): Promise<Message> {
  const i18n = i18nFor(to.language);
  const { firstName } = to;
  return composeMail(
    {
      to: to.email,
      subject: i18n._(msg`Confirm your email address for Lectern`),
      greeting: i18n._(msg`Hello ${firstName},`),
      paragraph: i18n._(
        msg`Welcome to Lectern. Please confirm that this is your email address, and your account is ready.`,
      ),
      action: {
        label: i18n._(msg`Confirm my email address`),
        link,
        asked,
        validity: i18n._(msg`This link works once, within the next 24 hours.`),
      },
      notMine: i18n._(
        msg`If you did not sign up for Lectern, please ignore this email: nothing happens without your click.`,
      ),
    },
    i18n,
    to.language,
  );
}
