import { eq } from 'drizzle-orm';
import type { cohorts } from '#db/schema/cohorts.ts';
import { learning } from '#db/schema/learning.ts';
import { settleStandings } from '#features/learning/settle-standings.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { makeNudges } from '#features/letters/make-nudges.ts';
import { makeReleases } from '#features/letters/make-releases.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createUser,
  db,
} from '#support/factories.ts';
import { createLessonRow, createSectionRow } from '#support/lesson-rows.ts';
import { setTime } from '../places/support.ts';

export const hour = 60 * 60 * 1000;
export const day = 24 * hour;

/** When people enroll. */
export const began = Date.UTC(2027, 2, 1, 15, 30);

type RunValues = Partial<typeof cohorts.$inferInsert>;

/** A course whose sections open after these days, each with a lesson, and its open run. */
export async function createRun(releaseDays: (number | null)[], values: RunValues = {}) {
  const owner = await createUser({ firstName: 'Anna', lastName: 'Martin' });
  const course = await createCourseRow(owner.id, { name: 'Writing' });
  return {
    ...(await createSections(course, releaseDays)),
    run: await createOpenRun(course, values),
  };
}

/** The same in a cohort in Vancouver that begins on March 8. */
export async function createGroup(releaseDays: (number | null)[], values: RunValues = {}) {
  const owner = await createUser({ firstName: 'Anna', lastName: 'Martin' });
  const course = await createCourseRow(owner.id, { name: 'Writing', courseType: 'cohort' });
  const cohort = await createCohortRow(course, {
    startsOn: '2027-03-08',
    endsOn: '2027-05-08',
    timeZone: 'America/Vancouver',
    startsAt: new Date('2027-03-08T08:00:00Z'),
    endsAt: new Date('2027-05-09T07:00:00Z'),
    publishedAt: new Date(),
    ...values,
  });
  return { ...(await createSections(course, releaseDays)), cohort };
}

async function createSections(
  course: { id: string; ownerId: string },
  releaseDays: (number | null)[],
) {
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
export async function clockAt(
  moment: number,
  bindings: Parameters<typeof contextOn>[0] = {},
): Promise<void> {
  setTime(moment);
  const ctx = contextOn(bindings);
  await settleStandings(ctx);
  await makeReleases(ctx);
  await makeNudges(ctx);
  await drainOutbox(ctx, null);
}

/** The learning of someone, as its row is. */
export async function learningOf(enrollment: { id: string }) {
  const [row] = await db.select().from(learning).where(eq(learning.enrollmentId, enrollment.id));
  if (row === undefined) {
    throw new Error('They have never been enrolled');
  }
  return row;
}

/** That someone opened the course. */
export function visit(enrollment: { id: string }, at: number) {
  return db
    .update(learning)
    .set({ lastSeenAt: new Date(at) })
    .where(eq(learning.enrollmentId, enrollment.id));
}
