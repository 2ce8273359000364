import 'server-only';
import type { I18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { cohorts } from '#db/schema/cohorts.ts';
import { meetings } from '#db/schema/meetings.ts';
import { type Day, dayMs, type WallTime } from '#lib/time/calendar.ts';
import { serverPaths } from '#paths.ts';

/** What calendars say of a cohort. */
export const calendarCohortColumns = {
  id: cohorts.id,
  name: cohorts.name,
  description: cohorts.description,
  startsOn: cohorts.startsOn,
  endsOn: cohorts.endsOn,
  timeZone: cohorts.timeZone,
  place: cohorts.place,
  joinUrl: cohorts.joinUrl,
  slug: cohorts.slug,
  publishedAt: cohorts.publishedAt,
  createdAt: cohorts.createdAt,
  updatedAt: cohorts.updatedAt,
};
export type CalendarCohort = Pick<typeof cohorts.$inferSelect, keyof typeof calendarCohortColumns>;

/** What they say of a session. */
export const calendarMeetingColumns = {
  id: meetings.id,
  cohortId: meetings.cohortId,
  title: meetings.title,
  startsLocal: meetings.startsLocal,
  startsAt: meetings.startsAt,
  durationMinutes: meetings.durationMinutes,
  place: meetings.place,
  joinUrl: meetings.joinUrl,
  note: meetings.note,
  sequence: meetings.sequence,
  cancelledAt: meetings.cancelledAt,
  updatedAt: meetings.updatedAt,
};
export type CalendarMeeting = Pick<
  typeof meetings.$inferSelect,
  keyof typeof calendarMeetingColumns
>;

/** How long a canceled session says so, before it is left out. */
const canceledMs = 30 * dayMs;

/** Whether a session is one of a cohort, and in calendars at a moment. */
export function isShownAt(now: Date) {
  const since = now.getTime() - canceledMs;
  return and(
    eq(meetings.cohortId, cohorts.id),
    or(isNull(meetings.cancelledAt), sql`${meetings.cancelledAt} > ${since}`),
  );
}

type Told = {
  /** In the language of the calendar. */
  i18n: I18n;
  appOrigin: string;
  /** Whether everyone may read it: where sessions take place online, and notes, are left out. */
  isPublic: boolean;
};

/**
 * The entries of cohorts and their sessions by time: each cohort, then what belongs to it. Not in
 * SQL, because no index has this order.
 */
export function entriesOf(
  rows: CalendarCohort[],
  sessions: CalendarMeeting[],
  told: Told,
): CalendarEntry[] {
  const byCohort = Map.groupBy(sessions.toSorted(byTime), ({ cohortId }) => cohortId);
  return rows
    .toSorted((one, other) => inOrder(one.startsOn, other.startsOn) || inOrder(one.id, other.id))
    .flatMap((cohort) => [
      cohortEntry(cohort, told),
      ...(byCohort.get(cohort.id) ?? []).map((session) => meetingEntry(cohort, session, told)),
    ]);
}

function byTime(one: CalendarMeeting, other: CalendarMeeting): number {
  return one.startsAt.getTime() - other.startsAt.getTime() || inOrder(one.id, other.id);
}

/** The same in every runtime, unlike that of a language. */
function inOrder(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function cohortEntry(cohort: CalendarCohort, { appOrigin }: Told): CalendarEntry {
  const { id, name, description, place, startsOn, endsOn, createdAt, updatedAt } = cohort;
  return {
    kind: 'cohort',
    id,
    title: name,
    text: description,
    place,
    url: pageOf(cohort, appOrigin),
    // Its table has no count of changes: seconds rise with each as well.
    sequence: Math.floor((updatedAt.getTime() - createdAt.getTime()) / 1000),
    updatedAt,
    startsOn,
    endsOn,
  };
}

function meetingEntry(
  cohort: CalendarCohort,
  session: CalendarMeeting,
  { i18n, appOrigin, isPublic }: Told,
): CalendarEntry {
  const { id, startsLocal, startsAt, durationMinutes, sequence } = session;
  const joinUrl = isPublic ? null : (session.joinUrl ?? cohort.joinUrl);
  const note = isPublic ? null : session.note;
  const texts = [joinUrl && t(i18n)`Join online: ${joinUrl}`, note].filter(Boolean);
  return {
    kind: 'meeting',
    id,
    title: `${session.title} · ${cohort.name}`,
    text: texts.length === 0 ? null : texts.join('\n\n'),
    place: session.place ?? cohort.place ?? joinUrl,
    url: joinUrl ?? pageOf(cohort, appOrigin),
    sequence,
    // It has the cohort's name, and its place where it has none of its own.
    updatedAt: new Date(Math.max(session.updatedAt.getTime(), cohort.updatedAt.getTime())),
    startsLocal,
    startsAt,
    durationMinutes,
    timeZone: cohort.timeZone,
    isCanceled: session.cancelledAt !== null,
  };
}

function pageOf({ publishedAt, slug }: CalendarCohort, appOrigin: string): string | null {
  return publishedAt === null ? null : serverPaths.publicCohort(appOrigin, slug);
}

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
