import { limits, tolerance } from '../../test/budgets/limits.ts';

/** What a part of the checks took, in processor seconds, in all and by case. */
export type Cost = { part: string; seconds: number; cases: CaseCost[] };
type CaseCost = { name: string; seconds: number };

const shownCases = 10;

/** Prints the parts and the costliest cases; nothing where the system has no /proc. */
export function printCosts(costs: Cost[]): void {
  const all = { part: 'all', seconds: totalOf(costs), cases: costs.flatMap(({ cases }) => cases) };
  if (all.seconds === 0) {
    return;
  }
  const rows = [...costs, all].map(({ part, seconds, cases }) => ({
    part,
    'processor seconds': Math.round(seconds),
    cases: cases.length,
    'seconds a case': rounded(seconds / Math.max(1, cases.length)),
  }));
  console.table(rows);
  const costliest = all.cases.toSorted((a, b) => b.seconds - a.seconds).slice(0, shownCases);
  console.table(costliest.map(({ name, seconds }) => ({ case: name, seconds: rounded(seconds) })));
}

/** A sentence for each limit that is exceeded by more than the tolerance. */
export function overLimits(costs: Cost[]): string[] {
  const casesOf = (wanted: string) =>
    costs.filter(({ part }) => part === wanted).flatMap(({ cases }) => cases);
  const workerd = casesOf('workerd');
  const features = Object.entries(
    Object.groupBy(workerd, ({ name }) => /^test\/features\/[^/]+/.exec(name)?.[0] ?? ''),
  ).filter(([folder]) => folder !== '');
  const measured = [
    { name: 'all checks', seconds: totalOf(costs), limit: limits.whole },
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
        `${name}: ${seconds.toFixed(1)} processor seconds, over ${limit.toFixed(1)}`,
    );
}

function totalOf(costs: { seconds: number }[]): number {
  return costs.reduce((sum, { seconds }) => sum + seconds, 0);
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
