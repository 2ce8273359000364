import 'server-only';
import type { CohortDays } from '#features/cohorts/cohort-dates.ts';
import { addDays, dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import type { Meeting } from './schema.ts';

/** The clocks of the zone before a session differ from those at the one before it. */
export type ClockChange = {
  /** The day on which they change. */
  day: string;
  /** By how many minutes they are ahead from then on; negative if they are behind. */
  minutes: number;
};

export type Week = {
  /** Counted from the first day of the cohort: 1 is its first; null outside its days. */
  number: number | null;
  from: string;
  to: string;
  /** Before the first session of the week. */
  change: ClockChange | null;
  meetings: Meeting[];
};

/** The sessions of a cohort by its weeks, in its zone, with the clock changes between them. */
export async function weeksOf(cohort: CohortDays, meetings: Meeting[]): Promise<Week[]> {
  const weeks: Week[] = [];
  let last: Meeting | null = null;
  for (const meeting of meetings) {
    const change: ClockChange | null = last && (await changeBetween(last, meeting));
    const days = daysBetween(cohort.starts_on, dayOfWallTime(meeting.starts_local));
    const from = addDays(cohort.starts_on, Math.floor(days / 7) * 7);
    const week = weeks.at(-1);
    if (week?.from === from && change === null) {
      week.meetings.push(meeting);
    } else {
      weeks.push({ ...weekFrom(cohort, from), change, meetings: [meeting] });
    }
    last = meeting;
  }
  return weeks;
}

function weekFrom({ starts_on, ends_on }: CohortDays, from: string) {
  const to = addDays(from, 6);
  const isWithin = from >= starts_on && from <= ends_on;
  return {
    number: isWithin ? daysBetween(starts_on, from) / 7 + 1 : null,
    from,
    to: isWithin && to > ends_on ? ends_on : to,
  };
}

async function changeBetween(before: Meeting, after: Meeting): Promise<ClockChange | null> {
  const minutes = aheadOf(after) - aheadOf(before);
  return minutes === 0 ? null : { day: await dayOfChange(before, after), minutes };
}

/** By how many minutes the clocks of the zone are ahead of UTC. */
function aheadOf({ starts_local, starts_at }: Pick<Meeting, 'starts_local' | 'starts_at'>): number {
  return Math.round((Date.parse(`${starts_local}Z`) - Date.parse(starts_at)) / 60_000);
}

/** The day of the last change between two sessions: halved until it is found. */
async function dayOfChange(before: Meeting, after: Meeting): Promise<string> {
  const { wallTimeAt } = await import('#lib/time/instants.ts');
  const zone = after.time_zone;
  const changed = aheadOf(after);
  let [early, late] = [Date.parse(before.starts_at), Date.parse(after.starts_at)];
  while (late - early > 60_000) {
    const middle = Math.floor((early + late) / 2 / 60_000) * 60_000;
    const at = new Date(Math.max(middle, early + 1));
    const sample = { starts_local: wallTimeAt(at, zone), starts_at: at.toISOString() };
    [early, late] = aheadOf(sample) === changed ? [early, at.getTime()] : [at.getTime(), late];
  }
  return dayOfWallTime(wallTimeAt(new Date(late), zone));
}
