import { eq } from 'drizzle-orm';
import type { cohorts } from '#db/schema/cohorts.ts';
import { learning } from '#db/schema/learning.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import type { Payload } from '#email/payload.ts';
import { settleStandings } from '#features/learning/settle-standings.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { makeNudges } from '#features/letters/make-nudges.ts';
import { makeReleases } from '#features/letters/make-releases.ts';
import { contextOn } from '#support/context.ts';
import { day } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createUser,
  db,
} from '#support/factories.ts';
import { createLessonRow, createSectionRow, updateLearning } from '#support/lesson-rows.ts';
import { setTime } from '../places/support.ts';

/** When people enroll. */
export const began = Date.UTC(2027, 2, 1, 15, 30);

type RunValues = Partial<typeof cohorts.$inferInsert>;

/** A course whose sections open after these days, each with a lesson, and its open run. */
export async function createRun(releaseDays: (number | null)[], values: RunValues = {}) {
  const made = await createCourse('evergreen', releaseDays);
  return { ...made, run: await createOpenRun(made.course, values) };
}

/** The same in a cohort in Vancouver that begins on March 8. */
export async function createGroup(releaseDays: (number | null)[], values: RunValues = {}) {
  const made = await createCourse('cohort', releaseDays);
  const cohort = await createCohortRow(made.course, {
    startsOn: '2027-03-08',
    endsOn: '2027-05-08',
    timeZone: 'America/Vancouver',
    startsAt: new Date('2027-03-08T08:00:00Z'),
    endsAt: new Date('2027-05-09T07:00:00Z'),
    publishedAt: new Date(),
    ...values,
  });
  return { ...made, cohort };
}

async function createCourse(courseType: 'evergreen' | 'cohort', releaseDays: (number | null)[]) {
  const owner = await createUser({ firstName: 'Anna', lastName: 'Martin' });
  const course = await createCourseRow(owner.id, { name: 'Writing', courseType });
  const sections = [];
  const lessons = [];
  for (const [index, days] of releaseDays.entries()) {
    const position = index + 1;
    const title = `Section ${position}`;
    const section = await createSectionRow(course, { position, title, releaseDays: days });
    sections.push(section);
    lessons.push(await createLessonRow(section, { title: `Lesson ${position}` }));
  }
  return { course, sections, lessons };
}

/** Someone who has enrolled at a moment. */
export function enroll(
  cohort: { id: string; ownerId: string },
  at = began,
  person: Parameters<typeof createEnrollment>[2] = {},
) {
  return createEnrollment(cohort, { statusChangedAt: new Date(at) }, person);
}

/** What the clock does about lessons, at a moment. */
export async function clockAt(moment: number): Promise<void> {
  setTime(moment);
  const ctx = contextOn();
  await settleStandings(ctx);
  await makeReleases(ctx);
  await makeNudges(ctx);
  await drainOutbox(ctx, null);
}

export async function learningOf(enrollment: { id: string }) {
  const [row] = await db.select().from(learning).where(eq(learning.enrollmentId, enrollment.id));
  if (row === undefined) {
    throw new Error('They have never been enrolled');
  }
  return row;
}

/** That someone opened the course. */
export function visit(enrollment: { id: string }, at: number) {
  return updateLearning(enrollment, { lastSeenAt: new Date(at) });
}

/** What someone’s emails say, as it was written. */
export async function payloadsTo(enrollment: { id: string }): Promise<Payload[]> {
  const areTheirs = eq(mailsDue.enrollmentId, enrollment.id);
  const rows = await db.select().from(mailsDue).where(areTheirs).orderBy(mailsDue.dueAt);
  return rows.map(({ payload }) => JSON.parse(payload));
}

/** What the clock sends on each day until a moment, as its day and subject. */
export async function mailsByDay(days: number, accepted: { subject: string }[]): Promise<string[]> {
  const sent: string[] = [];
  for (let no = 0; no < days; no += 1) {
    await clockAt(began + no * day);
    sent.push(...accepted.splice(0).map(({ subject }) => `${no}: ${subject}`));
  }
  return sent;
}
