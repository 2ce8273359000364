import 'server-only';
import type { SuppressionReason } from '#db/values.ts';
import { AppError } from '#lib/app-error.ts';
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
