import 'server-only';
import type { CohortKind, sectionModes } from '#db/values.ts';
import { addDays, type Day, dayMs, minuteMs, type WallTime } from '#lib/time/calendar.ts';

/** As rows have it: a number is in milliseconds since 1970. */
type Moment = Date | number;

/** A section's own rule: after how many days it opens; null: at once. */
export type SectionRule = { releaseDays: number | null };

/** What one cohort does with a section instead. */
export type SectionOverride = {
  mode: (typeof sectionModes)[number];
  /** A day, or a day and a time, on the clocks of the cohort; and its moment. */
  opensLocal: Day | WallTime | null;
  opensAt: Moment | null;
  meetingEdge: 'start' | 'end' | null;
  /** Null without its live session, and if that was canceled. */
  meetingStartsAt: Moment | null;
  meetingMinutes: number | null;
};

/** What the opening of sections depends on. The dates of an open run mean nothing. */
export type OpeningRun = { kind: CohortKind; startsOn: Day; timeZone: string };

/** When someone was first enrolled there. */
export type Started = { startedAt: number };

/** `opensLocal` is on the clocks of the cohort, with a time only if one was chosen. */
export type SectionAccess =
  | { state: 'open' }
  | { state: 'later'; opensAt: Date; opensLocal: Day | WallTime | null }
  | { state: 'hidden' };

/**
 * Whether someone may read a section. In an open run its days are of 24 hours, from the moment of
 * enrolling; in a cohort they begin with the first day, where the cohort is. Without a rule it is
 * open from enrolling, also before the first day.
 */
export async function sectionAccess(
  section: SectionRule,
  override: SectionOverride | null,
  run: OpeningRun,
  learning: Started,
  now: Date,
): Promise<SectionAccess> {
  if (override?.mode === 'hidden') {
    return { state: 'hidden' };
  }
  const opening = await sectionOpening(section, override, run, learning);
  return opening === null || opening.opensAt <= now ? { state: 'open' } : opening;
}

type Opening = Extract<SectionAccess, { state: 'later' }>;

/** When a section opens, or has opened, that is not hidden; null: at once. */
export async function sectionOpening(
  section: SectionRule,
  override: SectionOverride | null,
  run: OpeningRun,
  learning: Started,
): Promise<Opening | null> {
  return (await overridden(override, run)) ?? (await byRule(section, run, learning));
}

/** Null where the section's own rule holds. */
async function overridden(
  override: SectionOverride | null,
  { timeZone }: OpeningRun,
): Promise<Opening | null> {
  if (override === null) {
    return null;
  }
  const { mode, opensAt, opensLocal, meetingEdge, meetingStartsAt, meetingMinutes } = override;
  if (mode === 'date' && opensAt !== null) {
    return { state: 'later', opensAt: new Date(opensAt), opensLocal };
  }
  if (mode === 'meeting' && meetingStartsAt !== null) {
    const minutes = meetingEdge === 'end' ? (meetingMinutes ?? 0) : 0;
    const at = new Date(meetingStartsAt.valueOf() + minutes * minuteMs);
    const { wallTimeAt } = await import('#lib/time/instants.ts');
    return { state: 'later', opensAt: at, opensLocal: wallTimeAt(at, timeZone) };
  }
  return null;
}

/** Null if it opens at once. */
async function byRule(
  { releaseDays }: SectionRule,
  { kind, startsOn, timeZone }: OpeningRun,
  { startedAt }: Started,
): Promise<Opening | null> {
  if (releaseDays === null) {
    return null;
  }
  if (kind === 'open') {
    const opensAt = new Date(startedAt + releaseDays * dayMs);
    return { state: 'later', opensAt, opensLocal: null };
  }
  const day = addDays(startsOn, releaseDays);
  const { firstInstantOf } = await import('#lib/time/instants.ts');
  return { state: 'later', opensAt: firstInstantOf(day, timeZone), opensLocal: day };
}
