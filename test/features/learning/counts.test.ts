import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { lessonCounts, lessonMarks } from '#db/schema/learning.ts';
import { lessons } from '#db/schema/lessons.ts';
import { users } from '#db/schema/users.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
} from '#support/factories.ts';
import { createLessonRow, createMark, createSectionRow, draft } from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { learningOf } from '../self-paced/clock.ts';

test('after many marks at once, the counts are those of the marks', async () => {
  const { cohort, published } = await createClass(4);
  const learners = await Promise.all(Array.from({ length: 15 }, () => createEnrollment(cohort)));
  const pairs = learners.flatMap((learner) => published.map((lesson) => ({ learner, lesson })));
  const opened = new Date();
  // Opened, done, taken back and done again by some: 300 statements, of which none waits.
  await Promise.all(
    pairs.flatMap(({ learner, lesson }, index) => {
      const mark = lessonMarks;
      const isThis = sql`${mark.enrollmentId} = ${learner.id} AND ${mark.lessonId} = ${lesson.id}`;
      const change = (doneAt: Date | null) => db.update(mark).set({ doneAt }).where(isThis);
      return [
        createMark(learner, lesson, { openedAt: opened, doneAt: null }),
        change(opened),
        index % 3 === 0 ? change(null) : change(opened),
        change(index % 2 === 0 ? opened : null),
        change(opened),
      ];
    }),
  );

  expect(await differences()).toEqual([]);
  expect(await doneOf(learners[0])).toBe(4);
});

test('an erased person, a transfer and a return leave the counts right', async () => {
  const { client, course, cohort, published } = await createClass(3);
  const [first, second] = [await createEnrollment(cohort), await createEnrollment(cohort)];
  for (const lesson of published) {
    await createMark(first, lesson);
    await createMark(second, lesson, { doneAt: null });
  }
  const open = { startsAt: new Date(Date.now() + 1e9), endsAt: new Date(Date.now() + 2e9) };
  const target = await createCohortRow(course, open);
  const otherCourse = await createCourseRow(course.ownerId, { courseType: 'cohort' });
  const other = await createCohortRow(otherCourse, open);
  for (const [from, to, done] of [
    [cohort, target, 3],
    // The lessons of another course are others; the marks wait for a return.
    [target, other, 0],
    [other, target, 3],
  ] as const) {
    const path = `/api/cohorts/${from.id}/enrollments/${first.id}/transfer/`;
    const { status } = await client.send('POST', path, { cohort_id: to.id, notify: false });
    expect([status, await differences(), await doneOf(first)]).toEqual([200, [], done]);
  }

  expect((await client.send('DELETE', `/api/people/${second.person.id}/`)).status).toBe(204);
  expect(await differences()).toEqual([]);
});

test('only published lessons outside the trash count, whichever way they go and come', async () => {
  const { cohort, published } = await createClass(3);
  const learner = await createEnrollment(cohort);
  for (const lesson of published) {
    await createMark(learner, lesson);
  }
  const [one, two, three] = published;
  const change = (lesson: typeof one, values: Partial<typeof lessons.$inferInsert>) =>
    updateRow(lessons, lesson, values);
  const steps = [
    [() => change(one, draft), 2],
    [() => change(two, { deletedAt: new Date() }), 1],
    [() => change(one, { deletedAt: new Date() }), 1],
    [() => change(one, { publishedAt: new Date(), html: '', publishedTitle: 'Again' }), 1],
    [() => change(one, { deletedAt: null }), 2],
    [() => db.delete(lessons).where(eq(lessons.id, two?.id ?? '')), 2],
    [() => db.delete(lessons).where(eq(lessons.id, three?.id ?? '')), 1],
  ] as const;
  for (const [step, done] of steps) {
    await step();
    expect([await doneOf(learner), await differences()]).toEqual([done, []]);
  }
});

test('a deleted cohort, course or account takes its counts along', async () => {
  for (const kind of ['cohort', 'course', 'account'] as const) {
    const { course, cohort, published } = await createClass(2);
    const learner = await createEnrollment(cohort);
    await createMark(learner, published[0] ?? learner);
    await {
      cohort: () => db.delete(cohorts).where(eq(cohorts.id, cohort.id)),
      course: () => db.delete(courses).where(eq(courses.id, course.id)),
      account: () => db.delete(users).where(eq(users.id, course.ownerId)),
    }[kind]();
    expect(await differences()).toEqual([]);
    expect(await db.$count(lessonCounts, eq(lessonCounts.cohortId, cohort.id)), kind).toBe(0);
  }
});

/** A cohort of a course with lessons that learners see. */
async function createClass(count: number) {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course);
  const section = await createSectionRow(course);
  const positions = Array.from({ length: count }, (_, index) => index + 1);
  const published = await Array.fromAsync(positions, (position) =>
    createLessonRow(section, { position }),
  );
  return { client, course, cohort, published };
}

async function doneOf(enrollment: { id: string } | undefined) {
  return enrollment && (await learningOf(enrollment)).done;
}

/** Where a counter is not what a count of the marks would be. */
async function differences() {
  const { results } = await env.DB.prepare(
    `SELECT c.cohort_id AS cohort, c.lesson_id AS lesson, c.opened, c.done,
        count(m.enrollment_id) AS opened_by, count(m.done_at) AS done_by
      FROM lesson_counts c LEFT JOIN lesson_marks m
        ON m.cohort_id = c.cohort_id AND m.lesson_id = c.lesson_id
      GROUP BY c.cohort_id, c.lesson_id HAVING c.opened <> opened_by OR c.done <> done_by
    UNION ALL SELECT m.cohort_id, m.lesson_id, NULL, NULL, 1, 1 FROM lesson_marks m
      WHERE NOT EXISTS (SELECT 1 FROM lesson_counts c
        WHERE c.cohort_id = m.cohort_id AND c.lesson_id = m.lesson_id)
    UNION ALL SELECT g.cohort_id, g.enrollment_id, NULL, g.done, NULL, count(x.lesson_id)
      FROM learning g LEFT JOIN (SELECT m.enrollment_id, m.lesson_id FROM lesson_marks m
          JOIN lessons l ON l.id = m.lesson_id AND l.published_at IS NOT NULL
            AND l.deleted_at IS NULL
          JOIN cohorts h ON h.id = m.cohort_id AND h.course_id = l.course_id
          WHERE m.done_at IS NOT NULL) x ON x.enrollment_id = g.enrollment_id
      GROUP BY g.enrollment_id HAVING g.done <> count(x.lesson_id)`,
  ).all();
  return results;
}
