import 'server-only';
import type { CountedCohort } from '#features/cohorts/get-cohort.ts';
import type { ImportedPerson, KnownPerson, Room } from './import-statements.ts';
import type { ListLine } from './read-lines.ts';
import type { LineVerdict, RestChoice } from './schema.ts';

/** A line with what is said about it, and what it makes of the person. */
export type CheckedLine = {
  source: ListLine;
  verdict: LineVerdict;
  /** Null for a line that changes nothing. */
  status: ImportedPerson['status'] | null;
  /** The position among the people of the list; null for a line that names no one. */
  nth: number | null;
  person: KnownPerson | undefined;
};

export type CheckedList = {
  lines: CheckedLine[];
  /** How many people would come to the cohort. */
  newcomers: number;
  /** Whether there are more than places, and no one has said what becomes of the rest. */
  isTooMany: boolean;
};

type Facts = Room & {
  as: 'enrolled' | 'invited';
  rest: RestChoice | null;
  cohort: Pick<CountedCohort, 'waitlist'>;
};

/**
 * Checks the lines of a list as the statements of the import do, which see the same: who may come,
 * how many strangers an account may bring in, and who of them finds a place.
 */
export function checkLines(
  sources: readonly ListLine[],
  knownPeople: ReadonlyMap<number, KnownPerson>,
  { free, allowed, as, rest, cohort }: Facts,
): CheckedList {
  let [people, comers, newcomers, strangers] = [0, 0, 0, 0];
  const lines = sources.map((source): CheckedLine => {
    if (source.kind !== 'person') {
      const verdict = source.kind === 'fault' ? source.fault : 'duplicate';
      return { source, verdict, status: null, nth: null, person: undefined };
    }
    const nth = people;
    people += 1;
    const person = knownPeople.get(nth);
    const verdict = verdictOn(person);
    const line = { source, verdict, nth, person, status: null };
    const mayCome =
      verdict === 'new' || verdict === 'known' || (verdict === 'waiting' && as === 'enrolled');
    if (!mayCome) {
      return line;
    }
    const isCounted = isStranger(line);
    if (isCounted && allowed !== null && strangers >= allowed) {
      return { ...line, verdict: 'over_limit' };
    }
    strangers += isCounted ? 1 : 0;
    comers += 1;
    newcomers += verdict === 'waiting' ? 0 : 1;
    if (as === 'invited') {
      return { ...line, status: 'invited' };
    }
    if (free === null || comers <= free || rest === 'add') {
      return { ...line, status: 'enrolled' };
    }
    if (verdict === 'waiting') {
      return line;
    }
    if (rest === 'invite') {
      return { ...line, status: 'invited' };
    }
    return rest === 'waitlist' && cohort.waitlist
      ? { ...line, status: 'waitlisted' }
      : { ...line, verdict: 'no_place' };
  });
  const isTooMany = as === 'enrolled' && rest === null && free !== null && comers > free;
  return { lines, newcomers, isTooMany };
}

/** Whether the person has not enrolled by themselves: these count toward the limit of strangers. */
export function isStranger({ person }: Pick<CheckedLine, 'person'>): boolean {
  return person?.hasConsented !== 1;
}

function verdictOn(person: KnownPerson | undefined): LineVerdict {
  if (person === undefined) {
    return 'new';
  }
  const { personId, status, removedAt, isUnsubscribed, isUndeliverable } = person;
  const verdicts: [LineVerdict, boolean][] = [
    ['removed', removedAt !== null],
    ['already', status !== null && status !== 'waitlisted'],
    ['unsubscribed', isUnsubscribed === 1],
    ['undeliverable', isUndeliverable === 1],
    ['waiting', status === 'waitlisted'],
    ['known', personId !== null],
  ];
  return verdicts.find(([, applies]) => applies)?.[0] ?? 'new';
}
