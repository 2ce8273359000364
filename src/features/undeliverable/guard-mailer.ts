import 'server-only';
import type { UndeliverableReason } from '#db/values.ts';
import type { Message, SendMail } from '#email/send.ts';
import { parseEmail } from '#lib/email-address.ts';
import type { Log } from '#lib/log.ts';
import { refuseUndeliverable } from './refuse-undeliverable.ts';

/** What the database has by an address, read in the last trip before the mail: that which made its link, or spent it. */
export type Mark = { emailCanonical: string; reason: UndeliverableReason | null };

/** A mailer that wants to see what stands by the address, and mails to nobody whose address is marked. */
export type SendGuarded = (message: Message, idempotencyKey: string, mark: Mark) => Promise<void>;

/**
 * Mails to nobody whose address is marked. All mails go through here, so that no verb can forget.
 *
 * @returns a mailer that throws AppError `address_bounced` or `address_complained` besides
 */
export function guardMailer(log: Log, sendMail: SendMail): SendGuarded {
  return async function sendGuarded(message, idempotencyKey, mark) {
    const { canonical } = parseEmail(message.to) ?? { canonical: message.to };
    if (canonical !== mark.emailCanonical) {
      throw new Error('A mail was about to go to an address that nobody looked up');
    }
    refuseUndeliverable(log, mark.reason);
    await sendMail(message, idempotencyKey);
  };
}
