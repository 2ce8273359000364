import 'server-only';
import { msg } from '@lingui/core/macro';
import { type Addressee, type Asked, composeMail } from './layout.ts';
import type { Message } from './send.ts';

/** Sent to a new address: its link confirms the mailbox and makes the change, for 24 hours. */
export function addressChangeLink(to: Addressee, link: string, asked: Asked): Promise<Message> {
  return composeMail(to, {
    subject: msg`Confirm your new email address for Lectern`,
    paragraph: msg`You asked to use this address for Lectern from now on. Please confirm that it is yours.`,
    action: {
      label: msg`Use this address`,
      link,
      asked,
      validity: msg`This link works once, within the next 24 hours.`,
    },
    notMine: msg`If you did not ask for this, please ignore this email: nothing changes without your click.`,
  });
}
