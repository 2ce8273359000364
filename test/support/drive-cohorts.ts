import { calendarFeeds } from '#db/schema/calendar-feeds.ts';
import { findAttendance } from '#features/attendance/find-attendance.ts';
import { findSessionDay, findSessionOfCourse } from '#features/attendance/find-session-day.ts';
import { answerCalendar } from '#features/calendar/answer.ts';
import { feedAddress, findOwnFeed } from '#features/calendar/change-feed.ts';
import { findCohortSummaries } from '#features/cohorts/list-choices.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { findCourses } from '#features/courses/list-courses.ts';
import { findEmails } from '#features/emails/find-emails.ts';
import { findActor } from '#features/identity/find-actor.ts';
import { findLearnedLessons } from '#features/learning/find-cohort-learning.ts';
import { findCoursePreview, findLessonPreview } from '#features/learning/find-preview.ts';
import { findWeek } from '#features/learning/find-week.ts';
import { findBalance, findCohortLedger, findCourseTotals } from '#features/ledger/find-balances.ts';
import { balanceFilters } from '#features/ledger/schema.ts';
import { findLesson } from '#features/lessons/find-lesson.ts';
import { findLessonFacts, findLessonVersions } from '#features/lessons/find-lesson-facts.ts';
import { findOutline } from '#features/lessons/find-outline.ts';
import { listTrashedLessons } from '#features/lessons/list-trash.ts';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { findNextMeeting } from '#features/meetings/next-meeting.ts';
import {
  countCohortsNotOver,
  countOwnCohorts,
  findNextCohort,
  findOwnCohort,
  listOwnCohorts,
  listOwnTrash,
} from '#features/planning/own-cohorts.ts';
import { findPreview, findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { findRoster } from '#features/roster/find-roster.ts';
import { findTargets } from '#features/roster/find-targets.ts';
import { findEnrollmentPage } from '#features/self-paced/find-enrollment-page.ts';
import { findRunOverview } from '#features/self-paced/find-run-overview.ts';
import { apiPaths } from '#paths.ts';
import type { Drive } from './driver.ts';
import { createCaller } from './examples.ts';
import {
  createCohortRow,
  createCourseRow,
  createDaysOff,
  createEnrollment,
  createMeetingRow,
  createSession,
  createUser,
  db,
} from './factories.ts';
import { createLessonRow, createMark, createSectionRow } from './lesson-rows.ts';
import { sawSecret } from './secrets.ts';

const ofGroup = { courseType: 'cohort', showsOutline: true } as const;
const withKey = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } });

/** Writes of courses, by other ways. */
export const driveCourses: Drive = async ({ call }) => {
  const { client, things } = await createCaller();
  const input = { name: 'Chemistry', course_type: 'cohort' };
  const key = withKey();
  await call('create course, with a key', client, 'POST /api/courses/ 201', input, key);
  await call('create course, once more', client, 'POST /api/courses/ 201', input, key);
  const course = `/api/courses/${things['course']}/`;
  await client.post(`${course}select/`);
  await call('delete the selected course', client, `DELETE ${course} 204`);
  const others = await createCourseRow((await createUser()).id);
  await call('delete a course of others', client, `DELETE /api/courses/${others.id}/ 404`);
};

/** Calls about cohorts, by other ways. */
export const driveCohorts: Drive = async ({ call }) => {
  const [{ client, user }, colleague] = [await createCaller(), await createCaller()];
  const group = await createCourseRow(user.id, ofGroup);
  const cohorts = `/api/courses/${group.id}/cohorts/`;
  const days = { starts_on: '2027-01-05', ends_on: '2027-02-12', time_zone: 'Europe/Paris' };
  const spring = { name: 'Writing in spring', ...days };
  const key = withKey();
  const made = await call('create cohort, with a key', client, `POST ${cohorts} 201`, spring, key);
  await call('create cohort, once more', client, `POST ${cohorts} 201`, spring, key);
  const cohort = `/api/cohorts/${(await made.json<Cohort>()).id}/`;
  await call('read a cohort of others', colleague.client, `GET ${cohort} 404`);
  await call('change a cohort of others', colleague.client, `PATCH ${cohort} 404`, spring);
  const later = { ends_on: '2027-02-19' };
  await call('change the dates of a cohort', client, `PATCH ${cohort} 200`, later);
  for (const state of ['archived', 'trash']) {
    await call(`list cohorts: ${state}`, client, `GET ${cohorts}?state=${state} 200`);
  }
};

/** What signed-in pages show of a cohort, in which someone has done the first of three lessons. */
export const driveCohortPages: Drive = async ({ drive, ctx }) => {
  const { client, user } = await createCaller();
  const group = await createCourseRow(user.id, ofGroup);
  // Of two that start on one day, either may be read first.
  const cohort = await createCohortRow(group, { startsOn: '2027-01-05' });
  await createCohortRow(group, { publishedAt: new Date() });
  await client.post(apiPaths.selectCourse(group.id));
  const guest = await createEnrollment(cohort);
  const section = await createSectionRow(group);
  const done = await createLessonRow(section);
  await createMark(guest, done);
  await createLessonRow(section, { position: 2 });
  await createLessonRow(section, { position: 3 });
  const shown = { enrollment: guest.id, lesson: done.id };
  const reads = cohortPageReads(ctx, await createSession(user.id), cohort.id, shown);
  for (const [name, read] of Object.entries(reads)) {
    await drive(name, read);
  }
};

export const drivePublicPages: Drive = async ({ drive, ctx }) => {
  const course = await createCourseRow((await createUser()).id, ofGroup);
  const page = await createCohortRow(course, { publishedAt: new Date() });
  for (const [name, read] of await publicReads(ctx, page)) {
    await drive(name, read);
  }
};

type Reader = Parameters<typeof findActor>[0];

/**
 * The reads of the signed-in pages that show cohorts and lessons, by the page.
 *
 * @param shown ids of an enrollment in the cohort and of a lesson; by default, of none
 */
export function cohortPageReads(
  ctx: Reader,
  token: string,
  id: string,
  shown: { enrollment: string; lesson: string } = {
    enrollment: crypto.randomUUID(),
    lesson: crypto.randomUUID(),
  },
) {
  const { enrollment, lesson } = shown;
  const previewed = { hasDrafts: true, day: null, cohort: id, on: '2027-01-11' };
  const read = (queries: Parameters<typeof findActor>[2]) => () =>
    findActor(ctx, token, { courses: findCourses, ...queries });
  return {
    'page: home, with a cohort': read({
      next: findNextCohort,
      week: findWeek,
      notes: findCohortSummaries,
      session: findSessionOfCourse,
    }),
    'page: the list of cohorts, or Enrollment': read({
      cohorts: listOwnCohorts,
      feed: findOwnFeed,
      enrollment: findEnrollmentPage,
    }),
    'page: the trash': read({ cohorts: listOwnTrash }),
    'page: lessons': read({ outline: findOutline(null) }),
    'page: lessons, of a chosen cohort': read({ outline: findOutline(id) }),
    'page: lessons in the trash': read({ lessons: listTrashedLessons }),
    'page: a lesson': read({ lesson: findLesson(lesson), facts: findLessonFacts(lesson) }),
    'page: the versions of a lesson': read({
      lesson: findLesson(lesson),
      versions: findLessonVersions(lesson, null),
    }),
    'page: the preview of a course': read({ preview: findCoursePreview(previewed) }),
    'page: the preview of a lesson': read({ found: findLessonPreview(lesson, previewed) }),
    'page: a cohort': read({
      cohort: findOwnCohort(id),
      next: findNextMeeting(id),
      session: findSessionDay(id),
      overview: findRunOverview(id),
    }),
    'page: the roster': read({ roster: findRoster(id, '') }),
    'page: someone, with the other cohorts': read({
      targets: findTargets(id),
      lessons: findLearnedLessons(enrollment),
    }),
    'page: the emails of a cohort': read({ cohort: findOwnCohort(id), emails: findEmails(id) }),
    'page: the schedule': read({ cohort: findOwnCohort(id), meetings: findSchedule(id) }),
    'page: attendance': read({ attendance: findAttendance(id, '') }),
    'page: the preview of a cohort': read({ preview: findPreview(id) }),
    'page: the payments of a course': read({ cohorts: findCourseTotals({ cohortId: '' }) }),
    ...Object.fromEntries(
      balanceFilters.map((filter) => [
        `page: the account of a cohort, ${filter}`,
        read({ accounts: findCohortLedger({ cohortId: id, filter, after: null }) }),
      ]),
    ),
    'page: the account of someone': read({ found: findBalance(id, enrollment) }),
    'page: settings, what they count': read({ own: countOwnCohorts, all: countCohortsNotOver }),
  };
}

/** What is read without a session: the page of a cohort, and the file and feeds of another one. */
async function publicReads(
  ctx: Reader,
  page: { slug: string },
): Promise<[name: string, read: () => Promise<unknown>][]> {
  const now = new Date();
  const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: now });
  const { ownerId, slug } = cohort;
  const version = 1;
  await createMeetingRow(cohort, { startsAt: now });
  await createDaysOff(cohort, ['2027-01-12', '2027-01-19']);
  await db.insert(calendarFeeds).values({ ownerId, version, enabledAt: now });
  const { person } = await createEnrollment(cohort);
  const [ofPerson, ofOwner] = await Promise.all([
    feedAddress(ctx, { kind: 'personFeed', id: person.id, linkVersion: version }),
    feedAddress(ctx, { kind: 'ownerFeed', id: ownerId, linkVersion: version }),
  ]);
  sawSecret(...`${ofPerson} ${ofOwner}`.split(/[. ]/));
  const read = (address: string) => async () => {
    const { status } = await answerCalendar(ctx, new Request(address), '');
    if (status !== 200) {
      throw new Error(`A calendar was answered with ${status}`);
    }
  };
  return [
    ['the public page of a cohort', () => findPublicPage(ctx, page.slug)],
    ['the calendar of a cohort', read(`${ctx.config.appOrigin}/c/${slug}/calendar.ics`)],
    ['the calendar of a participant', read(ofPerson)],
    ['the calendar of an instructor', read(ofOwner)],
  ];
}
