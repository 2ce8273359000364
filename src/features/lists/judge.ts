import 'server-only';
import type { CountedCohort } from '#features/cohorts/get-cohort.ts';
import type { Known, Placed, Room } from './import-statements.ts';
import type { Entry } from './read-entries.ts';
import type { RestChoice, Verdict } from './schema.ts';

/** A line with what is said about it, and what it makes of the person. */
export type JudgedLine = {
  entry: Entry;
  verdict: Verdict;
  /** Null for a line that changes nothing. */
  status: Placed['status'] | null;
  /** The position among the people of the list; null for a line that names no one. */
  nth: number | null;
  known: Known | undefined;
};

export type Judged = {
  lines: JudgedLine[];
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
 * Judges the lines of a list as the statements of the import do, which see the same: who may come,
 * how many strangers an account may bring in, and who of them finds a place.
 */
export function judge(
  entries: readonly Entry[],
  known: ReadonlyMap<number, Known>,
  { free, allowed, as, rest, cohort }: Facts,
): Judged {
  let people = 0;
  let [wanted, newcomers, strangers] = [0, 0, 0];
  const lines = entries.map((entry): JudgedLine => {
    if (entry.kind !== 'person') {
      const verdict = entry.kind === 'fault' ? entry.fault : 'duplicate';
      return { entry, verdict, status: null, nth: null, known: undefined };
    }
    const nth = people;
    people += 1;
    const facts = known.get(nth);
    const verdict = verdictOf(facts);
    const line = { entry, verdict, nth, known: facts, status: null };
    const isWanted =
      verdict === 'new' || verdict === 'known' || (verdict === 'waiting' && as === 'enrolled');
    if (!isWanted) {
      return line;
    }
    const isCounted = isStranger(line);
    if (isCounted && allowed !== null && strangers >= allowed) {
      return { ...line, verdict: 'over_limit' };
    }
    strangers += isCounted ? 1 : 0;
    wanted += 1;
    newcomers += verdict === 'waiting' ? 0 : 1;
    if (as === 'invited') {
      return { ...line, status: 'invited' };
    }
    if (free === null || wanted <= free || rest === 'add') {
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
  const isTooMany = as === 'enrolled' && rest === null && free !== null && wanted > free;
  return { lines, newcomers, isTooMany };
}

/** Whether the person has not enrolled by themselves: these count toward the limit of strangers. */
export function isStranger({ known }: Pick<JudgedLine, 'known'>): boolean {
  return known?.hasConsented !== 1;
}

function verdictOf(known: Known | undefined): Verdict {
  if (known === undefined) {
    return 'new';
  }
  const { personId, status, removedAt } = known;
  if (removedAt !== null) {
    return 'removed';
  }
  if (status !== null && status !== 'waitlisted') {
    return 'already';
  }
  if (known.isUnsubscribed === 1) {
    return 'unsubscribed';
  }
  if (known.isUndeliverable === 1) {
    return 'undeliverable';
  }
  if (status === 'waitlisted') {
    return 'waiting';
  }
  return personId === null ? 'new' : 'known';
}
