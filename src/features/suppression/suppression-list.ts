import 'server-only';
import { eq } from 'drizzle-orm';
import { db } from '#db/query.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import type { SuppressionReason } from '#db/values.ts';
import type { Message, SendMail } from '#email/send.ts';
import { AppError } from '#lib/app-error.ts';
import { parseEmail } from '#lib/email-address.ts';
import type { Log } from '#observability/log.ts';
import type { ErrorCode } from '#vocabulary.ts';

const codes = {
  bounced: 'address_bounced',
  complained: 'address_complained',
} as const satisfies Record<SuppressionReason, ErrorCode>;

/** What whatever mails somebody may refuse with. */
export const suppressionCodes = Object.values(codes);

/**
 * Ends what would mail an address that no mail goes to.
 *
 * @param reason as it stands by the address; null where there is none
 * @param userId whose address it is, where that is known
 * @throws AppError `address_bounced`, `address_complained`
 */
export function refuseSuppressed(
  log: Log,
  reason: SuppressionReason | null,
  userId?: string,
): void {
  if (reason !== null) {
    log('mail_withheld', { reason, ...(userId !== undefined && { userId }) });
    throw new AppError(codes[reason]);
  }
}

/** The query for what stands by an address. */
export function suppressionOf(emailCanonical: string) {
  return db
    .select({ reason: suppressedAddresses.reason })
    .from(suppressedAddresses)
    .where(eq(suppressedAddresses.emailCanonical, emailCanonical));
}

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
