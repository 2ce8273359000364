import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlainFailure } from '../scripts/local/plain-failure.ts';

type Ratios = { [what: string]: number };

/** What an earlier run measured, and the commit of it. */
type Kept = { commit: string; measuredOn: string; ratios: Ratios };

const file = path.join(import.meta.dirname, 'record.json');
const allowedGrowth = 1.2;

/** Makes the ratios of this run, which measured all parts, the ones to compare later runs with. */
export function keepRecord(measured: Ratios): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const ratios = Object.fromEntries(
    Object.entries(measured).map(([what, ratio]) => [what, Math.round(ratio * 100) / 100]),
  );
  const record: Kept = { commit, measuredOn: new Date().toISOString().slice(0, 10), ratios };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * Compares the ratios of this run with the record. Where one has grown by a fifth, all are measured
 * again, and the best of all rounds count: other programs may be the cause.
 *
 * @throws PlainFailure naming each ratio that has grown so even then, or is not in the record
 */
export async function compareWithRecord(
  measured: Ratios,
  measureAgain: () => Promise<void>,
): Promise<void> {
  const { commit, measuredOn, ratios } = JSON.parse(readFileSync(file, 'utf8')) as Kept;
  const isWorse = ([what, ratio]: [string, number]) =>
    ratio > (ratios[what] ?? Number.POSITIVE_INFINITY) * allowedGrowth;
  if (Object.entries(measured).some(isWorse)) {
    console.log('A ratio is worse than in the record. Measuring again …');
    await measureAgain();
  }
  const lines = Object.entries(measured).flatMap(([what, ratio]) => {
    const before = ratios[what];
    if (before === undefined) {
      return [`- ${what} is not in the record; npm run bench -- --keep adds it`];
    }
    return isWorse([what, ratio])
      ? [`- ${what}: ${ratio.toFixed(2)}, and ${before.toFixed(2)} before`]
      : [];
  });
  if (lines.length > 0) {
    const title = `Worse by a fifth than at commit ${commit} of ${measuredOn}:`;
    throw new PlainFailure([title, ...lines].join('\n'));
  }
}
