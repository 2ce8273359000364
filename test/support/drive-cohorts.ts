import { calendarFeeds } from '#db/schema/calendar-feeds.ts';
import { meetings } from '#db/schema/meetings.ts';
import { findAttendance } from '#features/attendance/find-attendance.ts';
import { findSessionDay, findSessionOfCourse } from '#features/attendance/find-session-day.ts';
import { answerCalendar } from '#features/calendar/answer.ts';
import { feedAddress, findOwnFeed } from '#features/calendar/change-feed.ts';
import { findCohortSummaries } from '#features/cohorts/list-choices.ts';
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
import { createCohortRow, createCourseRow, createEnrollment, createUser, db } from './factories.ts';
import { sawSecret } from './secrets.ts';

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
export async function publicReads(
  ctx: Reader,
  page: { slug: string },
): Promise<[name: string, read: () => Promise<unknown>][]> {
  const now = new Date();
  const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: now });
  const { id: cohortId, ownerId, slug } = cohort;
  const [startsLocal, version] = ['2027-01-05T18:00', 1];
  const times = { startsLocal, startsAt: now, durationMinutes: 90, createdAt: now, updatedAt: now };
  const session = { id: crypto.randomUUID(), ownerId, cohortId, title: 'Scenes', ...times };
  await db.insert(meetings).values(session);
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
