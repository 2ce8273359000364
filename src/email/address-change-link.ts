import 'server-only';
import { msg } from '@lingui/core/macro';
import { i18nFor } from '#i18n/server.ts';
import { type Addressee, type Asked, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/** Sent to a new address: its link confirms the mailbox and makes the change, for 24 hours. */
export function addressChangeLink(to: Addressee, link: string, asked: Asked): Promise<Message> {
  const i18n = i18nFor(to.language);
  const { firstName } = to;
  return composeMail(
    {
      to: to.email,
      subject: i18n._(msg`Confirm your new email address for Lectern`),
      greeting: i18n._(msg`Hello ${firstName},`),
      paragraph: i18n._(
        msg`You asked to use this address for Lectern from now on. Please confirm that it is yours.`,
      ),
      action: {
        label: i18n._(msg`Use this address`),
        link,
        asked,
        validity: i18n._(msg`This link works once, within the next 24 hours.`),
      },
      notMine: i18n._(
        msg`If you did not ask for this, please ignore this email: nothing changes without your click.`,
      ),
    },
    i18n,
    to.language,
  );
}
