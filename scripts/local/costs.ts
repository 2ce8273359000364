import { limits, tolerance } from '../../test/budgets/limits.ts';
import type { Usage } from './processor-time.ts';

/** What a part of the checks took, in all and in processor seconds by case. */
export type Cost = Usage & { part: string; cases: CaseCost[] };
type CaseCost = { name: string; seconds: number };

const shownCases = 10;

/** Prints the parts and the costliest cases; nothing where the system has no /proc. */
export function printCosts(costs: Cost[]): void {
  const seconds = totalOf(costs);
  if (seconds === 0) {
    return;
  }
  const cases = costs.flatMap((cost) => cost.cases);
  const all = { part: 'all', seconds, pace: seconds / atPaceOfLimits(costs), cases };
  const rows = [...costs, all].map((cost) => ({
    part: cost.part,
    'processor seconds': Math.round(cost.seconds),
    pace: rounded(cost.pace),
    cases: cost.cases.length,
    'seconds a case': rounded(cost.seconds / Math.max(1, cost.cases.length)),
  }));
  console.table(rows);
  const costliest = cases.toSorted((a, b) => b.seconds - a.seconds).slice(0, shownCases);
  console.table(costliest.map(({ name, seconds }) => ({ case: name, seconds: rounded(seconds) })));
}

/** A sentence for each limit that would be exceeded at a pace of 1 by more than the tolerance. */
export function overLimits(costs: Cost[]): string[] {
  const casesOf = (wanted: string) =>
    costs
      .filter(({ part }) => part === wanted)
      .flatMap(({ pace, cases }) =>
        cases.map(({ name, seconds }) => ({ name, seconds: seconds / pace })),
      );
  const workerd = casesOf('workerd');
  const features = Object.entries(
    Object.groupBy(workerd, ({ name }) => /^test\/features\/[^/]+/.exec(name)?.[0] ?? ''),
  ).filter(([folder]) => folder !== '');
  const measured = [
    { name: 'all checks', seconds: atPaceOfLimits(costs), limit: limits.whole },
    ...workerd.map((one) => ({ ...one, limit: limits.workerdCase })),
    ...casesOf('browser').map((one) => ({ ...one, limit: limits.journey })),
    ...features.map(([name, cases = []]) => ({
      name,
      seconds: totalOf(cases),
      limit: limits.feature,
    })),
  ];
  return measured
    .filter(({ seconds, limit }) => seconds > limit * tolerance)
    .map(
      ({ name, seconds, limit }) =>
        `${name}: ${seconds.toFixed(1)} processor seconds at a pace of 1, over ${limit.toFixed(1)}`,
    );
}

function atPaceOfLimits(costs: Cost[]): number {
  return costs.reduce((sum, { seconds, pace }) => sum + seconds / pace, 0);
}

function totalOf(costs: { seconds: number }[]): number {
  return costs.reduce((sum, { seconds }) => sum + seconds, 0);
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
