import 'server-only';
import type { JudgedPerson } from './import-statements.ts';
import type { ListLine } from './read-lines.ts';
import type { LineVerdict } from './schema.ts';

/** A line with what is said about it, and what it makes of the person. */
export type CheckedLine = {
  source: ListLine;
  verdict: LineVerdict;
  /** Null for a line that changes nothing. */
  status: JudgedPerson['status'];
  /** Missing for a line that names no one. */
  person?: JudgedPerson | undefined;
};

/** The lines of a list with what the statements of the import say of its people, in their order. */
export function checkLines(
  sources: readonly ListLine[],
  people: readonly JudgedPerson[],
): CheckedLine[] {
  let nth = 0;
  return sources.map((source) => {
    if (source.kind !== 'person') {
      const verdict = source.kind === 'fault' ? source.fault : 'duplicate';
      return { source, verdict, status: null };
    }
    const person = people[nth];
    nth += 1;
    return { source, verdict: person?.verdict ?? 'new', status: person?.status ?? null, person };
  });
}
