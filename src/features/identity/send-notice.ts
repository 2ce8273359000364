import 'server-only';
import type { Context } from '#context.ts';
import type { Message } from '#email/send.ts';
import type { SuppressionEntry } from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * Notifies an address that an account has left. A failure is logged and undoes nothing. Not
 * counted in the email budget, which an attacker could use up first.
 *
 * @param suppression the suppression state of the address
 */
export async function sendNotice(
  ctx: Context,
  userId: string,
  suppression: SuppressionEntry,
  compose: () => Promise<Message>,
): Promise<void> {
  try {
    await ctx.sendMail(await compose(), `address_changed/${crypto.randomUUID()}`, suppression);
  } catch (error) {
    const reason = error instanceof AppError ? error.code : 'internal';
    ctx.observe.log('notice_not_sent', { userId, reason });
  }
}
