import 'server-only';
import type { SuppressionReason } from '#db/values.ts';
import type { Message, SendMail } from '#email/send.ts';
import { parseEmail } from '#lib/email-address.ts';
import type { Log } from '#observability/log.ts';
import { refuseSuppressed } from './refuse-suppressed.ts';

/** What the database has by an address, read in the last trip before the mail: that which made its link, or spent it. */
export type SuppressionEntry = { emailCanonical: string; reason: SuppressionReason | null };

/** A mailer that wants to see what stands by the address, and mails to nobody whose address is marked. */
export type SendUnlessSuppressed = (
  message: Message,
  idempotencyKey: string,
  mark: SuppressionEntry,
) => Promise<void>;

/**
 * Mails to nobody whose address is marked. All mails go through here, so that no verb can forget.
 *
 * @returns a mailer that throws AppError `address_bounced` or `address_complained` besides
 */
export function withSuppression(log: Log, sendMail: SendMail): SendUnlessSuppressed {
  return async function sendUnlessSuppressed(message, idempotencyKey, mark) {
    const { canonical } = parseEmail(message.to) ?? { canonical: message.to };
    if (canonical !== mark.emailCanonical) {
      throw new Error('A mail was about to go to an address that nobody looked up');
    }
    refuseSuppressed(log, mark.reason);
    await sendMail(message, idempotencyKey);
  };
}
