import type { LessonCount } from './find-outline.ts';

/** Where most people of a cohort have stopped. */
export type Drop = {
  /** The lesson that they have finished. */
  after: string;
  /** The lesson that they have not opened. */
  next: string;
  finished: number;
  opened: number;
};

/** Fewer people say nothing about a lesson. */
const fewest = 5;
/** Some always stop: a drop is at least this part of those who finished the lesson before. */
const leastPart = 1 / 5;

/**
 * The largest drop from one lesson to the next; null without one.
 *
 * @param ids of the published lessons, in their order
 */
export function findDrop(ids: string[], counts: ReadonlyMap<string, LessonCount>): Drop | null {
  let largest: Drop | null = null;
  for (const [index, next] of ids.entries()) {
    const after = ids[index - 1];
    if (after === undefined) {
      continue;
    }
    const finished = counts.get(after)?.done ?? 0;
    const opened = counts.get(next)?.opened ?? 0;
    const stopped = finished - opened;
    const isDrop = stopped >= fewest && stopped >= finished * leastPart;
    if (isDrop && (largest === null || stopped > largest.finished - largest.opened)) {
      largest = { after, next, finished, opened };
    }
  }
  return largest;
}
