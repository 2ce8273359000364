import 'server-only';
import { eq, type SQL } from 'drizzle-orm';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import type { SuppressionReason } from '#db/values.ts';
import type { Mailer, Message } from '#email/send.ts';
import { AppError } from '#lib/app-error.ts';
import { parseEmail } from '#lib/email-address.ts';
import type { Log } from '#observability/log.ts';
import type { ErrorCode } from '#vocabulary.ts';

const codes = {
  bounced: 'address_bounced',
  complained: 'address_complained',
} as const satisfies Record<SuppressionReason, ErrorCode>;

/** The error codes for suppressed addresses. */
export const suppressionCodes = Object.values(codes);

/**
 * Refuses to send to a suppressed address.
 *
 * @param reason why the address is suppressed; null if it is not
 * @param userId the owner of the address, if known
 * @throws AppError `address_bounced`, `address_complained`
 */
export function refuseSuppressed(log: Log, reason: SuppressionReason | null, userId?: string) {
  if (reason !== null) {
    log('mail_withheld', { reason, ...(userId !== undefined && { userId }) });
    throw new AppError(codes[reason]);
  }
}

/** The rows of an address on the list: one or none. */
export function suppressionRows(emailCanonical: string | SQL) {
  return db
    .select({ reason: suppressedAddresses.reason })
    .from(suppressedAddresses)
    .where(eq(suppressedAddresses.emailCanonical, emailCanonical));
}

/** The suppression state of an address, read in the trip that created or used the email's link. */
export type SuppressionEntry = { emailCanonical: string; reason: SuppressionReason | null };

/** The query for the suppression state of an address. */
export function suppressionOf(emailCanonical: string) {
  return query(
    { rows: reasonRow({ emailCanonical }) },
    ({ rows: [row] }): SuppressionEntry => ({ emailCanonical, reason: row?.reason ?? null }),
  );
}

const reasonRow = prepared(({ emailCanonical }: Given<'emailCanonical'>) =>
  suppressionRows(emailCanonical),
);

/** A mailer that needs the suppression state of each address, and refuses suppressed ones. */
export type GuardedMailer = ReturnType<typeof withSuppression>;

/**
 * Wraps the mailer, so that no verb can send to a suppressed address.
 *
 * @returns a mailer that also throws AppError `address_bounced` or `address_complained`
 */
export function withSuppression(log: Log, { sendMail, sendBatch }: Mailer) {
  function guard({ to }: Message, mark: SuppressionEntry): void {
    const { canonical } = parseEmail(to) ?? { canonical: to };
    if (canonical !== mark.emailCanonical) {
      throw new Error(
        'Refused to send an email: its address was not looked up in the suppression list',
      );
    }
    refuseSuppressed(log, mark.reason);
  }

  return {
    sendMail: async (message: Message, idempotencyKey: string, mark: SuppressionEntry) => {
      guard(message, mark);
      return sendMail(message, idempotencyKey);
    },
    sendBatch: async (
      mails: readonly { message: Message; mark: SuppressionEntry }[],
      idempotencyKey: string,
    ) => {
      for (const { message, mark } of mails) {
        guard(message, mark);
      }
      return sendBatch(
        mails.map(({ message }) => message),
        idempotencyKey,
      );
    },
  };
}
