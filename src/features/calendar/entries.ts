import type { Day, WallTime } from '#lib/time/calendar.ts';

/** What every entry of a calendar has. */
type EntryFacts = {
  /** Of the thing itself: its entry keeps it, however often the file is read. */
  id: string;
  title: string;
  /** Plain text; null without one. */
  text: string | null;
  place: string | null;
  /** Its page, or where it takes place online. Never a link that is personal; null without one. */
  url: string | null;
  /** Rises with every change: programs keep the entry with the higher one. */
  sequence: number;
  updatedAt: Date;
};

/** A whole cohort, over all of its days. */
export type CohortEntry = EntryFacts & { kind: 'cohort'; startsOn: Day; endsOn: Day };

/** A live session. */
export type MeetingEntry = EntryFacts & {
  kind: 'meeting';
  startsLocal: WallTime;
  /** The same moment, for a zone that calendars have no rules of. */
  startsAt: Date;
  durationMinutes: number;
  timeZone: string;
  isCanceled: boolean;
};

export type CalendarEntry = CohortEntry | MeetingEntry;

/** A file or a feed. */
export type Calendar = {
  name: string;
  language: 'en' | 'fr';
  /** That of the app, which makes the ids of entries globally unique. */
  host: string;
  entries: CalendarEntry[];
};
