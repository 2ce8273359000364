import 'server-only';
import { t } from '@lingui/core/macro';
import { and, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { calendarFeeds } from '#db/schema/calendar-feeds.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { meetings } from '#db/schema/meetings.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import type { Locale } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import { isGenuine, readLink } from '#lib/signed-links.ts';
import { dayMs } from '#lib/time/calendar.ts';
import {
  type Calendar,
  type CalendarCohort,
  type CalendarMeeting,
  calendarCohortColumns,
  calendarMeetingColumns,
  entriesOf,
  isShownAt,
} from './calendar-rows.ts';

/**
 * The calendar of a cohort, for everyone who has the address of its page: without the links by
 * which people join, and the notes that only they may read.
 *
 * @returns null if there is none, or it is not published or in the trash
 */
export async function findFile(ctx: Context, slug: string): Promise<Calendar | null> {
  const isPublic = and(
    eq(cohorts.slug, slug),
    isNotNull(cohorts.publishedAt),
    isNull(cohorts.deletedAt),
  );
  const { rows, sessions } = await ask(ctx, {
    rows: db
      .select({ ...calendarCohortColumns, language: cohorts.language, courseName: courses.name })
      .from(cohorts)
      .innerJoin(courses, eq(courses.id, cohorts.courseId))
      .where(isPublic),
    // Keeps the order of the join, which SQLite would reverse without statistics.
    sessions: db
      .select(calendarMeetingColumns)
      .from(cohorts)
      .crossJoin(meetings)
      .where(and(isPublic, isShownAt(ctx.now()))),
  });
  const [row] = rows;
  if (row === undefined) {
    return null;
  }
  const name = `${row.courseName} · ${row.name}`;
  return calendarOf(ctx, { name, language: row.language, rows, sessions, isPublic: true });
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
  const { owner, ...rows } = await (kind === 'ownerFeed' ? ownerRows : personRows)(ctx, link.id);
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

/** More cohorts, and more sessions, than anyone has: writing more would keep the worker busy. */
const [mostCohorts, mostSessions] = [500, 2_000];

type FeedRows = {
  owner: { version: number; language: Locale; instructor: string } | undefined;
  rows: CalendarCohort[];
  sessions: CalendarMeeting[];
};

const fullName = sql<string>`${users.firstName} || ' ' || ${users.lastName}`.as('instructor');

/** Of a participant: the cohorts in which they have a place. */
async function personRows(ctx: Context, id: string): Promise<FeedRows> {
  const isIn = and(
    eq(enrollments.personId, id),
    eq(enrollments.status, 'enrolled'),
    isNull(cohorts.deletedAt),
    isNull(cohorts.archivedAt),
  );
  const ofEnrollment = eq(cohorts.id, enrollments.cohortId);
  const { owners, ...rows } = await ask(ctx, {
    owners: db
      .select({ version: people.linkVersion, language: people.language, instructor: fullName })
      .from(people)
      .innerJoin(users, eq(users.id, people.ownerId))
      .where(eq(people.id, id)),
    rows: db
      .select(calendarCohortColumns)
      .from(enrollments)
      .innerJoin(cohorts, ofEnrollment)
      .where(isIn)
      .limit(mostCohorts),
    sessions: db
      .select(calendarMeetingColumns)
      .from(enrollments)
      .crossJoin(cohorts)
      .crossJoin(meetings)
      .where(and(isIn, ofEnrollment, isShownAt(ctx.now())))
      .limit(mostSessions),
  });
  return { ...rows, owner: owners[0] };
}

/** How long a cohort that is over stays in its instructor's calendar. */
const keptMs = 365 * dayMs;

/** Of an instructor: what is published in all of their courses. */
async function ownerRows(ctx: Context, id: string): Promise<FeedRows> {
  const isShown = and(
    eq(cohorts.ownerId, id),
    gt(cohorts.endsAt, new Date(ctx.now().getTime() - keptMs)),
    isNotNull(cohorts.publishedAt),
    isNull(cohorts.deletedAt),
    isNull(cohorts.archivedAt),
  );
  const { owners, ...rows } = await ask(ctx, {
    owners: db
      .select({ version: calendarFeeds.version, language: users.language, instructor: fullName })
      .from(calendarFeeds)
      .innerJoin(users, eq(users.id, calendarFeeds.ownerId))
      .where(and(eq(calendarFeeds.ownerId, id), isNotNull(calendarFeeds.enabledAt))),
    // What ends last first, so that what is left out is over.
    rows: db
      .select(calendarCohortColumns)
      .from(cohorts)
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
  });
  return { ...rows, owner: owners[0] };
}

async function calendarOf(
  { config: { appOrigin } }: Context,
  {
    name,
    language,
    rows,
    sessions,
    isPublic,
  }: Omit<FeedRows, 'owner'> & { name: string; language: Locale; isPublic: boolean },
): Promise<Calendar> {
  const i18n = i18nFor(language);
  return {
    name,
    language,
    host: new URL(appOrigin).host,
    entries: entriesOf(rows, sessions, { i18n, appOrigin, isPublic }),
  };
}
