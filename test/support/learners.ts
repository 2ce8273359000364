import type { LearnerDevice } from '#context.ts';
import type { enrollments } from '#db/schema/people.ts';
import { remember } from '#features/learning/device.ts';
import { contextOn } from './context.ts';
import { createCohortRow, createCourseRow, createEnrollment, createUser } from './factories.ts';
import { createLessonRow, createSectionRow } from './lesson-rows.ts';
import { sawSecret } from './secrets.ts';

/** A published cohort, with a section for lessons. */
export async function createReading(ownerId?: string) {
  const course = await createCourseRow(ownerId ?? (await createUser()).id, {
    courseType: 'cohort',
  });
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  return { course, cohort, section: await createSectionRow(course, { title: 'Opening' }) };
}

/**
 * Someone in a new course with three lessons, and a browser that is remembered for them.
 *
 * @param ownerId of the course; by default a new user
 */
export async function createLearner(
  values: Partial<typeof enrollments.$inferInsert> = {},
  ownerId?: string,
) {
  const reading = await createReading(ownerId);
  const createLesson = async (position: number) => {
    const values = {
      position,
      title: `Draft of lesson ${position}`,
      publishedTitle: `Lesson ${position}`,
      html: `<p>Text ${position}</p>`,
      publishedWords: 500,
    };
    return (await createLessonRow(reading.section, values)).id;
  };
  const lessons = [await createLesson(1), await createLesson(2), await createLesson(3)] as const;
  const { person, ...place } = await createEnrollment(reading.cohort, values);
  return {
    ...reading,
    lessons,
    person,
    place,
    device: await deviceOf(person),
  };
}

/** A browser that is remembered for people, as its cookie. */
export async function deviceOf(...people: { id: string; linkVersion: number }[]) {
  const device: LearnerDevice = { cookie: null };
  for (const person of people) {
    await remember(contextOn(), device, person);
  }
  sawSecret(...(device.cookie ?? '').split(/[.~]/).filter((part) => /^[0-9a-f]{64}$/.test(part)));
  return device;
}
