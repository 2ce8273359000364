import 'server-only';
import type { I18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { and, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { calendarFeeds } from '#db/schema/calendar-feeds.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { meetings } from '#db/schema/meetings.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import type { Locale } from '#db/values.ts';
import { isDated, isPublishedAt } from '#features/cohorts/get-cohort.ts';
import type { PublicDayOff } from '#features/meetings/public-meetings.ts';
import { i18nFor } from '#i18n/server.ts';
import { isGenuine, readLink } from '#lib/signed-links.ts';
import { shortTitle } from '#lib/text.ts';
import { dayMs, dayOfWallTime, spansOf } from '#lib/time/calendar.ts';
import { serverPaths } from '#paths.ts';

/**
 * The calendar of a cohort, for everyone who has the address of its page: without the links by
 * which people join, and the notes that only they may read.
 *
 * @returns null if there is none, or it is not published, in the trash or an open run
 */
export async function findFile(ctx: Context, slug: string): Promise<Calendar | null> {
  const isPublic = and(isPublishedAt({ slug }), isDated);
  const { rows, sessions, off } = await ask(ctx, {
    rows: db
      .select({ ...calendarCohortColumns, language: cohorts.language })
      .from(cohorts)
      .innerJoin(courses, eq(courses.id, cohorts.courseId))
      .where(isPublic),
    // Keeps the order of the join, which SQLite would reverse without statistics.
    sessions: db
      .select(calendarMeetingColumns)
      .from(cohorts)
      .crossJoin(meetings)
      .where(and(isPublic, isShownAt(ctx.now()))),
    off: daysOffIn(sql`cohorts`, isPublic),
  });
  const [row] = rows;
  if (row === undefined) {
    return null;
  }
  const name = `${row.courseName} · ${row.name}`;
  return calendarOf(ctx, { name, language: row.language, rows, sessions, off, isPublic: true });
}

/**
 * The calendar of a feed, by its path.
 *
 * @param path unchecked
 * @returns null for an address that is not ours, was replaced or is switched off
 */
export async function findFeed(ctx: Context, path: string): Promise<Calendar | null> {
  const [, name] = /^\/calendar\/(.+)\.ics$/.exec(path) ?? [];
  const kind = name?.startsWith('i-') ? 'ownerFeed' : 'personFeed';
  // The same work for an address that is not one, and for someone who does not exist.
  const link = readLink(kind, name) ?? { id: '', mac: '' };
  const {
    owners: [owner],
    ...rows
  } = await (kind === 'ownerFeed' ? ownerRows : personRows)(ctx, link.id);
  const isOurs = await isGenuine(ctx, kind, { ...link, linkVersion: owner?.version ?? 0 });
  if (owner === undefined || !isOurs) {
    return null;
  }
  const { language, instructor } = owner;
  const i18n = i18nFor(language);
  const title =
    kind === 'ownerFeed' ? t(i18n)`Cohorts on Lectern` : t(i18n)`Cohorts with ${instructor}`;
  return calendarOf(ctx, { ...rows, name: title, language, isPublic: false });
}

/** More cohorts, sessions and days off than anyone has: writing more would keep the worker busy. */
const [mostCohorts, mostSessions] = [500, 2_000];

type FeedRows = {
  owners: { version: number; language: Locale; instructor: string }[];
  rows: CalendarCohort[];
  sessions: CalendarMeeting[];
  off: CalendarDayOff[];
};

const fullName = sql<string>`${users.firstName} || ' ' || ${users.lastName}`.as('instructor');

/** Of a participant: the cohorts in which they have a place. */
function personRows(ctx: Context, id: string): Promise<FeedRows> {
  const isIn = and(
    eq(enrollments.personId, id),
    eq(enrollments.status, 'enrolled'),
    isDated,
    isNull(cohorts.deletedAt),
    isNull(cohorts.archivedAt),
  );
  const ofEnrollment = eq(cohorts.id, enrollments.cohortId);
  return ask(ctx, {
    owners: db
      .select({ version: people.linkVersion, language: people.language, instructor: fullName })
      .from(people)
      .innerJoin(users, eq(users.id, people.ownerId))
      .where(eq(people.id, id)),
    rows: db
      .select(calendarCohortColumns)
      .from(enrollments)
      .innerJoin(cohorts, ofEnrollment)
      .innerJoin(courses, eq(courses.id, cohorts.courseId))
      .where(isIn)
      .limit(mostCohorts),
    sessions: db
      .select(calendarMeetingColumns)
      .from(enrollments)
      .crossJoin(cohorts)
      .crossJoin(meetings)
      .where(and(isIn, ofEnrollment, isShownAt(ctx.now())))
      .limit(mostSessions),
    off: daysOffIn(sql`enrollments CROSS JOIN cohorts`, and(isIn, ofEnrollment)),
  });
}

/** How long a cohort that is over stays in its instructor's calendar. */
const keptMs = 365 * dayMs;

/** Of an instructor: what is published in all of their courses. */
function ownerRows(ctx: Context, id: string): Promise<FeedRows> {
  const isShown = and(
    eq(cohorts.ownerId, id),
    isDated,
    gt(cohorts.endsAt, new Date(ctx.now().getTime() - keptMs)),
    isNotNull(cohorts.publishedAt),
    isNull(cohorts.deletedAt),
    isNull(cohorts.archivedAt),
  );
  return ask(ctx, {
    owners: db
      .select({ version: calendarFeeds.version, language: users.language, instructor: fullName })
      .from(calendarFeeds)
      .innerJoin(users, eq(users.id, calendarFeeds.ownerId))
      .where(and(eq(calendarFeeds.ownerId, id), isNotNull(calendarFeeds.enabledAt))),
    // What ends last first, so that what is left out is over.
    rows: db
      .select(calendarCohortColumns)
      .from(cohorts)
      .innerJoin(courses, eq(courses.id, cohorts.courseId))
      .where(isShown)
      .orderBy(desc(cohorts.endsAt))
      .limit(mostCohorts),
    sessions: db
      .select(calendarMeetingColumns)
      .from(cohorts)
      .crossJoin(meetings)
      .where(and(isShown, isShownAt(ctx.now())))
      .orderBy(desc(cohorts.endsAt))
      .limit(mostSessions),
    off: daysOffIn(sql`cohorts`, isShown),
  });
}

type CalendarRows = Omit<FeedRows, 'owners'> & {
  name: string;
  language: Locale;
  isPublic: boolean;
};

function calendarOf(
  { config: { appOrigin } }: Context,
  { rows, sessions, off, name, language, isPublic }: CalendarRows,
) {
  const reader = { i18n: i18nFor(language), appOrigin, isPublic };
  const byCohort = Map.groupBy(sessions.toSorted(byTime), ({ cohortId }) => cohortId);
  const offByCohort = Map.groupBy(off, ({ cohortId }) => cohortId);
  // Each cohort, its sessions by time and its days off. Not in SQL, because no index has this order.
  const entries = rows
    .toSorted((one, other) => inOrder(one.startsOn, other.startsOn) || inOrder(one.id, other.id))
    .flatMap((cohort): CalendarEntry[] => [
      cohortEntry(cohort, reader),
      ...(byCohort.get(cohort.id) ?? []).map((session) => meetingEntry(cohort, session, reader)),
      ...noClassEntries(cohort, reader, offByCohort.get(cohort.id), byCohort.get(cohort.id)),
    ]);
  // The host makes the ids of entries globally unique.
  return { name, language, host: new URL(appOrigin).host, entries };
}

const calendarCohortColumns = {
  id: cohorts.id,
  name: cohorts.name,
  courseName: courses.name,
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
type CalendarCohort = Pick<
  typeof cohorts.$inferSelect,
  Exclude<keyof typeof calendarCohortColumns, 'courseName'>
> & { courseName: string };

const calendarMeetingColumns = {
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
type CalendarMeeting = Pick<typeof meetings.$inferSelect, keyof typeof calendarMeetingColumns>;

type CalendarDayOff = PublicDayOff & { id: string; cohortId: string; createdAt: number };

function daysOffIn(from: SQL, where: SQL | undefined) {
  return db.all<CalendarDayOff>(sql`SELECT d.id, d.on_date, d.reason, d.cohort_id AS cohortId,
      d.created_at AS createdAt FROM ${from} CROSS JOIN days_off d ON d.cohort_id = cohorts.id
    WHERE ${where} ORDER BY cohorts.ends_at DESC LIMIT ${mostSessions}`);
}

/** How long a canceled session says so, before it is left out. */
const canceledMs = 30 * dayMs;

/** Whether a session is one of a cohort, and in calendars at a moment. */
function isShownAt(now: Date) {
  const since = now.getTime() - canceledMs;
  return and(
    eq(meetings.cohortId, cohorts.id),
    or(isNull(meetings.cancelledAt), sql`${meetings.cancelledAt} > ${since}`),
  );
}

type Told = {
  i18n: I18n;
  appOrigin: string;
  /** Whether everyone may read it: where sessions take place online, and notes, are left out. */
  isPublic: boolean;
};

function byTime(one: CalendarMeeting, other: CalendarMeeting): number {
  return one.startsAt.getTime() - other.startsAt.getTime() || inOrder(one.id, other.id);
}

/** The same in every runtime, unlike that of a language. */
function inOrder(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function cohortEntry(cohort: CalendarCohort, { appOrigin }: Told) {
  const { id, description, place, startsOn, endsOn, createdAt, updatedAt } = cohort;
  return {
    kind: 'cohort' as 'cohort' | 'off',
    id,
    title: `${shortTitle(cohort.courseName)} · ${cohort.name}`,
    text: description,
    place,
    url: pageOf(cohort, appOrigin),
    // Programs keep the entry with the higher one. The table has no count of changes: seconds rise
    // with each as well.
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
) {
  const { id, startsLocal, startsAt, durationMinutes, sequence } = session;
  const joinUrl = isPublic ? null : (session.joinUrl ?? cohort.joinUrl);
  const note = isPublic ? null : session.note;
  const texts = [joinUrl && t(i18n)`Join online: ${joinUrl}`, note].filter(Boolean);
  return {
    kind: 'meeting' as const,
    id,
    title: `${session.title} · ${shortTitle(cohort.courseName)}`,
    text: texts.length === 0 ? null : texts.join('\n\n'),
    place: session.place ?? cohort.place ?? joinUrl,
    // Never a link that is personal.
    url: joinUrl ?? pageOf(cohort, appOrigin),
    sequence,
    // It has the cohort's name, and its place where it has none of its own.
    updatedAt: new Date(Math.max(session.updatedAt.getTime(), cohort.updatedAt.getTime())),
    startsLocal,
    // The same moment, for a zone that calendars have no rules of.
    startsAt,
    durationMinutes,
    timeZone: cohort.timeZone,
    isCanceled: session.cancelledAt !== null,
  };
}

/** Each span of days off; its id is that of its first day, which stays when the cohort moves. */
function noClassEntries(
  cohort: CalendarCohort,
  reader: Told,
  off: CalendarDayOff[] = [],
  sessions: CalendarMeeting[] = [],
): CohortEntry[] {
  const days = off.toSorted((one, other) => inOrder(one.on_date, other.on_date));
  const held = sessions.flatMap((one) => (one.cancelledAt ? [] : dayOfWallTime(one.startsLocal)));
  const changes = [Number(cohort.updatedAt), ...days.map(({ createdAt }) => createdAt)];
  const whole = cohortEntry({ ...cohort, updatedAt: new Date(Math.max(...changes)) }, reader);
  return spansOf(days, held).map(({ from, to, reason: because }) => {
    const id = days.find(({ on_date: day }) => day === from)?.id ?? '';
    const noClass = because ? t(reader.i18n)`No class: ${because}` : t(reader.i18n)`No class`;
    const entry = { id, title: `${noClass} · ${shortTitle(cohort.courseName)}`, text: null };
    return { ...whole, ...entry, kind: 'off', place: null, startsOn: from, endsOn: to };
  });
}

function pageOf({ publishedAt, slug }: CalendarCohort, appOrigin: string): string | null {
  return publishedAt === null ? null : serverPaths.publicCohort(appOrigin, slug);
}

/** A whole cohort, or a span without class, over all of its days. */
export type CohortEntry = ReturnType<typeof cohortEntry>;

/** A live session. */
export type MeetingEntry = ReturnType<typeof meetingEntry>;

export type CalendarEntry = CohortEntry | MeetingEntry;

/** A file or a feed. */
export type Calendar = ReturnType<typeof calendarOf>;
