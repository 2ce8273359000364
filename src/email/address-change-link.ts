import 'server-only';
import { msg } from '@lingui/core/macro';
import { type Addressee, composeMail, type RequestOrigin } from './layout.ts';
import type { Message } from './send.ts';

/** Sent to a new address: its link confirms the mailbox and makes the change, for 24 hours. */
export function addressChangeLink(
  to: Addressee,
  link: string,
  origin: RequestOrigin,
): Promise<Message> {
  return composeMail(to, {
    subject: msg`Confirm your new email address for Lectern`,
    preheader: msg`Until you do, your account keeps its current address.`,
    title: msg`Confirm your new email address`,
    paragraph: msg`You asked to change your Lectern email to this address. Please confirm that it’s yours.`,
    action: {
      label: msg`Confirm this address`,
      link,
      origin,
      validity: msg`This link works once and expires in 24 hours.`,
    },
    notMine: msg`If you didn’t ask for this, please ignore this email: nothing changes unless you click.`,
    why: msg`You’re receiving this email because someone asked to use this address for a Lectern account.`,
  });
}
