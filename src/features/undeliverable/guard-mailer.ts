import 'server-only';
import { eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { undeliverableAddresses } from '#db/schema/undeliverable-addresses.ts';
import type { UndeliverableReason } from '#db/values.ts';
import type { SendMail } from '#email/send.ts';
import { AppError } from '#lib/app-error.ts';
import { parseEmail } from '#lib/email-address.ts';
import type { Log } from '#lib/log.ts';
import { refuseUndeliverable } from './refuse-undeliverable.ts';

/**
 * Mails to nobody whose address is marked. All mails go through here, so that no verb can forget; those that know sooner, by
 * what they read anyway, refuse before they make a link or count anything.
 *
 * @returns a mailer that throws AppError `address_bounced` or `address_complained` besides, and `unavailable` when it cannot be
 *   found out
 */
export function guardMailer(db: Database, log: Log, sendMail: SendMail): SendMail {
  return async function sendGuarded(message, idempotencyKey) {
    refuseUndeliverable(log, await findReason(db, message.to));
    await sendMail(message, idempotencyKey);
  };
}

async function findReason(db: Database, address: string): Promise<UndeliverableReason | null> {
  const { canonical } = parseEmail(address) ?? { canonical: address };
  try {
    const mark = await db
      .select({ reason: undeliverableAddresses.reason })
      .from(undeliverableAddresses)
      .where(eq(undeliverableAddresses.emailCanonical, canonical))
      .get();
    return mark?.reason ?? null;
  } catch (cause) {
    throw new AppError('unavailable', { cause });
  }
}
