import 'server-only';
import type { Context } from '#context.ts';
import type { LimitName } from '#vocabulary.ts';
import type { LimitUse } from './limit-on.ts';

/** Limits shared by all emails of the deployment, so not the fault of the user who hits them. */
const budgets: LimitName[] = ['mails', 'mails_to_unproven', 'cohort_mails', 'unasked_cohort_mails'];

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

/**
 * Logs a warning when the budget reaches one of these percentages.
 *
 * @param from the count before
 * @param to the count now
 */
export function warnOfBudget(
  ctx: Context,
  limit: LimitName,
  { from, to, max }: { from: number; to: number; max: number },
): void {
  for (const percent of warningPercents) {
    const level = Math.ceil((max * percent) / 100);
    if (isBudget(limit) && from < level && to >= level) {
      ctx.observe.log('mail_budget', { limit, percent, max });
    }
  }
}
