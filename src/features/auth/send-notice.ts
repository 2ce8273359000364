import 'server-only';
import type { Context } from '#context.ts';
import type { Message } from '#email/send.ts';
import type { Mark } from '#features/undeliverable/guard-mailer.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * Tells the address that an account has left what has happened. What has happened stands whether or not this can be sent; the log
 * says when it could not. Not out of the budget of emails, which somebody could use up first.
 *
 * @param mark what stands by the address
 * @returns whether it was accepted for delivery
 */
export async function sendNotice(
  ctx: Context,
  userId: string,
  mark: Mark,
  compose: () => Promise<Message>,
): Promise<boolean> {
  try {
    await ctx.sendMail(await compose(), `address_changed/${crypto.randomUUID()}`, mark);
    return true;
  } catch (error) {
    const reason = error instanceof AppError ? error.code : 'internal';
    ctx.log('notice_not_sent', { userId, reason });
    return false;
  }
}
