import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlainFailure } from '../scripts/local/plain-failure.ts';
import { median } from './figures.ts';

/** The medians of an earlier run, by what they compare, and the commit that it measured. */
type Kept = { commit: string; measuredOn: string; ratios: { [what: string]: number } };

/** What each round of this run has measured. */
type Rounds = { [what: string]: number[] };

const file = path.join(import.meta.dirname, 'record.json');
const allowedGrowth = 1.2;

/** Makes the ratios of this run, which measured all parts, the ones to compare later runs with. */
export function keepRecord(rounds: Rounds): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const ratios = Object.fromEntries(
    Object.entries(rounds).map(([what, all]) => [what, Math.round(median(all) * 100) / 100]),
  );
  const record: Kept = { commit, measuredOn: new Date().toISOString().slice(0, 10), ratios };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * Compares the ratios of this run with the record. One is worse if its median has grown by a fifth
 * and even its best round is above the record, which on a busy machine chance alone does not do.
 *
 * @throws PlainFailure naming each ratio that is worse, or is not in the record
 */
export function compareWithRecord(rounds: Rounds): void {
  const { commit, measuredOn, ratios } = JSON.parse(readFileSync(file, 'utf8')) as Kept;
  const lines = Object.entries(rounds).flatMap(([what, all]) => {
    const before = ratios[what];
    if (before === undefined) {
      return [`- ${what} is not in the record; npm run bench -- --keep adds it`];
    }
    const isWorse = median(all) > before * allowedGrowth && Math.min(...all) > before;
    return isWorse ? [`- ${what}: ${median(all).toFixed(2)}, and ${before.toFixed(2)} before`] : [];
  });
  if (lines.length > 0) {
    const title = `Worse by a fifth than at commit ${commit} of ${measuredOn}:`;
    throw new PlainFailure([title, ...lines].join('\n'));
  }
}
