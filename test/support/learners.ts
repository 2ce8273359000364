import type { LearnerDevice } from '#context.ts';
import type { lessons } from '#db/schema/lessons.ts';
import type { enrollments } from '#db/schema/people.ts';
import { remember } from '#features/learning/device.ts';
import { contextOn } from './context.ts';
import { createCohortRow, createCourseRow, createEnrollment, createUser } from './factories.ts';
import { createLessonRow, createSectionRow } from './lesson-rows.ts';
import { sawSecret } from './secrets.ts';

export const day = 24 * 60 * 60 * 1000;

/** A published cohort, with a section for lessons. */
export async function createReading(ownerId?: string) {
  const course = await createCourseRow(ownerId ?? (await createUser()).id, {
    courseType: 'cohort',
  });
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  const { id: section } = await createSectionRow(course, { title: 'Opening' });
  return { course, cohort, section };
}

type Reading = Awaited<ReturnType<typeof createReading>>;

/** A published lesson of a course, the next of its section. */
export async function createLesson(
  { course, section }: Pick<Reading, 'course' | 'section'>,
  position: number,
  values: Partial<typeof lessons.$inferInsert> = {},
): Promise<string> {
  const { id } = await createLessonRow(
    { id: section, ownerId: course.ownerId, courseId: course.id },
    {
      position,
      title: `Draft of lesson ${position}`,
      publishedTitle: `Lesson ${position}`,
      html: `<p>Text ${position}</p>`,
      publishedWords: 500,
      ...values,
    },
  );
  return id;
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
  const [one, two, three] = [
    await createLesson(reading, 1),
    await createLesson(reading, 2),
    await createLesson(reading, 3),
  ] as const;
  const { person, ...place } = await createEnrollment(reading.cohort, values);
  return {
    ...reading,
    lessons: [one, two, three] as const,
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
