/** What is aimed at, such as `≤ 1.3`, and what was measured instead. */
type Aim = { what: string; target: string; measured: string; isMet: boolean };

/** Of all parts of a run; `printAims` has them in one table. */
const aims: Aim[] = [];

/** Ratios that a change may not worsen, by what they compare; see record.ts. */
export const heldRatios: { [what: string]: number } = {};

/** Of both subjects of such a ratio, in all measurements of this run. */
const bestRounds = new Map<string, { of: number; over: number }>();

export function noteAim(aim: Aim): void {
  aims.push(aim);
}

/** Prints every aim of the run beside its figure, as docs/performance.md has them. */
export function printAims(): void {
  if (aims.length > 0) {
    printTable(
      ['target', 'measured', 'met'],
      aims.map(({ what, target, measured, isMet }) => [
        `${what} ${target}`,
        measured,
        isMet ? 'yes' : 'no',
      ]),
    );
  }
}

/** What each round measured for two subjects, in order. A held ratio may not become worse. */
type Comparison = { what: string; of: number[]; over: number[]; aim?: number; isHeld?: boolean };

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/**
 * Prints ratios with their smallest and largest round, and whether the median meets an aim (an
 * upper limit).
 *
 * @throws Error when one is not a number, which means that something was not measured
 */
export function printComparisons(title: string, comparisons: Comparison[]): void {
  printTable(
    [title, 'ratio', 'spread', 'target', 'met'],
    comparisons.map(({ what, of, over, aim, isHeld = false }) => {
      const ratios = of.map((value, round) => value / (over[round] ?? Number.NaN));
      const ratio = median(ratios);
      if (isHeld) {
        // Other programs can only add to what is measured, so the best rounds vary least.
        const best = { of: Math.min(...of), over: Math.min(...over) };
        const before = bestRounds.get(what) ?? best;
        best.of = Math.min(best.of, before.of);
        best.over = Math.min(best.over, before.over);
        bestRounds.set(what, best);
        heldRatios[what] = best.of / best.over;
      }
      if (!Number.isFinite(ratio)) {
        throw new Error(`There is no figure for "${what}".`);
      }
      const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
      if (aim === undefined) {
        return [what, ratio.toFixed(2), spread, '', ''];
      }
      const target = `≤ ${aim}`;
      const isMet = ratio <= aim;
      noteAim({ what, target, measured: `${ratio.toFixed(2)} (${spread})`, isMet });
      return [what, ratio.toFixed(2), spread, target, isMet ? 'yes' : 'no'];
    }),
  );
}

/** Prints a table in Markdown. */
export function printTable(head: string[], rows: string[][]): void {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  console.log(
    ['', line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'),
  );
}
