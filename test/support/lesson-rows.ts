import { eq } from 'drizzle-orm';
import { learning, lessonMarks } from '#db/schema/learning.ts';
import { lessons, sections } from '#db/schema/lessons.ts';
import { db, insertRow } from './factories.ts';

type Course = { id: string; ownerId: string };

/** A section of a course, without a heading unless one is given. */
export async function createSectionRow(
  course: Course,
  values: Partial<typeof sections.$inferInsert> = {},
) {
  return insertRow(sections, {
    id: crypto.randomUUID(),
    ownerId: course.ownerId,
    courseId: course.id,
    position: 1,
    createdAt: new Date(),
    updatedAt: new Date(),
    ...values,
  });
}

/** A lesson that learners see. */
export async function createLessonRow(
  section: { id: string; ownerId: string; courseId: string },
  values: Partial<typeof lessons.$inferInsert> = {},
) {
  const title = values.title ?? 'Scenes';
  return insertRow(lessons, {
    id: crypto.randomUUID(),
    ownerId: section.ownerId,
    courseId: section.courseId,
    sectionId: section.id,
    position: 1,
    title,
    document: '{"type":"doc","content":[]}',
    words: 400,
    draftVersion: 1,
    draftAt: new Date(),
    publishedTitle: title,
    html: '<p>She says nothing.</p>',
    publishedWords: 400,
    publishedVersion: 1,
    publishedAt: new Date(),
    createdAt: new Date(),
    updatedAt: new Date(),
    ...values,
  });
}

/** What a lesson is that learners do not see. */
export const draft = {
  publishedTitle: null,
  html: null,
  publishedWords: null,
  publishedVersion: null,
  publishedAt: null,
} as const;

/** That someone has opened a lesson, and has done it unless `doneAt` is null. */
export async function createMark(
  enrollment: { id: string; ownerId: string; cohortId: string },
  lesson: { id: string },
  values: Partial<typeof lessonMarks.$inferInsert> = {},
) {
  return insertRow(lessonMarks, {
    enrollmentId: enrollment.id,
    lessonId: lesson.id,
    ownerId: enrollment.ownerId,
    cohortId: enrollment.cohortId,
    openedAt: new Date(Date.now() - 60_000),
    doneAt: new Date(),
    ...values,
  });
}

/** How someone has got on, as the marks and the clock write it. */
export async function updateLearning(
  enrollment: { id: string },
  values: Partial<typeof learning.$inferInsert>,
): Promise<void> {
  await db.update(learning).set(values).where(eq(learning.enrollmentId, enrollment.id));
}
