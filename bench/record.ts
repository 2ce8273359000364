import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlainFailure } from '../scripts/local/plain-failure.ts';

/** Ratios of an earlier run, by what they compare, and the commit that it measured. */
type Kept = { commit: string; measuredOn: string; ratios: { [what: string]: number } };

const file = path.join(import.meta.dirname, 'record.json');

/** A ratio that has grown by more fails the run. */
const allowedGrowth = 1.2;

/** Keeps the ratios of this run as those that later runs are compared with. */
export function keepRecord(ratios: Kept['ratios']): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const kept = { ...readRecord().ratios, ...ratios };
  const record: Kept = {
    commit,
    measuredOn: new Date().toISOString().slice(0, 10),
    ratios: kept,
  };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** @throws PlainFailure naming each ratio that is a fifth worse than in the record */
export function compareWithRecord(ratios: Kept['ratios']): void {
  const { commit, measuredOn, ratios: before } = readRecord();
  const worse = Object.entries(ratios).filter(
    ([what, ratio]) => ratio > (before[what] ?? Number.POSITIVE_INFINITY) * allowedGrowth,
  );
  if (worse.length > 0) {
    const lines = worse.map(
      ([what, ratio]) => `- ${what}: ${ratio.toFixed(2)}, and ${before[what]?.toFixed(2)} before`,
    );
    throw new PlainFailure(
      [`Worse by a fifth than at commit ${commit} of ${measuredOn}:`, ...lines].join('\n'),
    );
  }
}

function readRecord(): Kept {
  return JSON.parse(readFileSync(file, 'utf8')) as Kept;
}
