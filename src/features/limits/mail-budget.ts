import 'server-only';
import type { Context } from '#context.ts';
import type { LimitName } from '#vocabulary.ts';
import type { LimitUse } from './limit-on.ts';

/** What all mails of the deployment share. Where it is used up, that is no doing of whoever asks. */
const budgets: LimitName[] = ['mails', 'mails_to_unproven'];

/** The shares of the budget at which the log says so, in percent. */
const warningPercents = [50, 80];

/**
 * What every mail is counted against.
 *
 * @param isProven whether somebody has shown that the mailbox is theirs
 */
export function budgetUses(isProven: boolean): LimitUse[] {
  return [
    { limit: 'mails', subject: 'all' },
    ...(isProven ? [] : [{ limit: 'mails_to_unproven', subject: 'all' } as const]),
  ];
}

export function isBudget(limit: LimitName): boolean {
  return budgets.includes(limit);
}

/** Says in the log, once each time, that much of the budget is used up. */
export function warnOfBudget(ctx: Context, limit: LimitName, count: number, max: number): void {
  for (const percent of warningPercents) {
    if (isBudget(limit) && count === Math.ceil((max * percent) / 100)) {
      ctx.observe.log('mail_budget', { percent, max });
    }
  }
}
