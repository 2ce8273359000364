import 'server-only';
import type { Context } from '#context.ts';
import type { LimitName } from '#vocabulary.ts';
import type { LimitUse } from './limit-on.ts';

/** Limits shared by all emails of the deployment, so not the fault of the user who hits them. */
const budgets: LimitName[] = ['mails', 'mails_to_unproven'];

/** The percentages of the budget at which a warning is logged. */
const warningPercents = [50, 80];

/**
 * The limit uses of every email.
 *
 * @param isProven whether the address has been verified
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

/** Logs a warning when the budget reaches one of these percentages. */
export function warnOfBudget(ctx: Context, limit: LimitName, count: number, max: number): void {
  for (const percent of warningPercents) {
    if (isBudget(limit) && count === Math.ceil((max * percent) / 100)) {
      ctx.observe.log('mail_budget', { percent, max });
    }
  }
}
