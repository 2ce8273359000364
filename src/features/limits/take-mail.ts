import 'server-only';
import type { Context } from '#context.ts';
import { AppError } from '#lib/app-error.ts';
import { type Draw, takeFrom } from './take-from.ts';

/** The shares of the mail budget at which the log says so, in percent. */
const warningPercents = [50, 80];

/**
 * Counts one mail against the budget that all mails of the deployment share.
 *
 * @param isProven whether somebody has shown that the mailbox is theirs
 * @throws AppError `mail_unavailable` when the budget is used up; `unavailable` when it could not be counted
 */
export async function takeMail(ctx: Context, isProven: boolean): Promise<void> {
  try {
    const draws: Draw[] = [
      { limit: 'mails', subject: 'all' },
      ...(isProven ? [] : [{ limit: 'mails_to_unproven', subject: 'all' } as const]),
    ];
    for (const { count, max } of await takeFrom(ctx, draws, { whenBroken: 'refuse' })) {
      for (const percent of warningPercents) {
        if (count === Math.ceil((max * percent) / 100)) {
          ctx.log('mail_budget', { percent, max });
        }
      }
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') {
      const { retryAfterSeconds = 0 } = error;
      throw new AppError('mail_unavailable', { cause: error, retryAfterSeconds });
    }
    throw error;
  }
}
