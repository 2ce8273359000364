import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { lessonMarks } from '#db/schema/learning.ts';
import { lessons } from '#db/schema/lessons.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
} from '#support/factories.ts';
import { createLessonRow, createMark, createSectionRow, draft } from '#support/lesson-rows.ts';

test('after many marks at once, the counts are those of the marks', async () => {
  const { cohort, published } = await createClass(4);
  const learners = await Promise.all(Array.from({ length: 50 }, () => createEnrollment(cohort)));
  const pairs = learners.flatMap((learner) => published.map((lesson) => ({ learner, lesson })));
  const opened = new Date();
  // Opened, done, taken back and done again by some: 1,000 statements, of which none waits.
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
  expect(await doneOf(learners[0]?.id)).toBe(4);
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
  const other = await createCohortRow(
    await createCourseRow(course.ownerId, { courseType: 'cohort' }),
    open,
  );
  const transfer = async (from: string, to: string) => {
    const path = `/api/cohorts/${from}/enrollments/${first.id}/transfer/`;
    const answer = await client.post(path, { cohort_id: to, notify: false });
    expect(answer.status, await answer.text()).toBe(200);
    expect(await differences()).toEqual([]);
  };

  await transfer(cohort.id, target.id);
  expect(await doneOf(first.id)).toBe(3);
  // The lessons of another course are others; the marks wait for a return.
  await transfer(target.id, other.id);
  expect(await doneOf(first.id)).toBe(0);
  await transfer(other.id, target.id);
  expect(await doneOf(first.id)).toBe(3);

  expect((await client.request('DELETE', `/api/people/${second.person.id}/`)).status).toBe(204);
  expect(await differences()).toEqual([]);
});

test('only published lessons outside the trash count, whichever way they go and come', async () => {
  const { cohort, published } = await createClass(3);
  const learner = await createEnrollment(cohort);
  for (const lesson of published) {
    await createMark(learner, lesson);
  }
  const [one, two, three] = published.map(({ id }) => eq(lessons.id, id));
  const steps = [
    [db.update(lessons).set(draft).where(one), 2],
    [db.update(lessons).set({ deletedAt: new Date() }).where(two), 1],
    [db.update(lessons).set({ deletedAt: new Date() }).where(one), 1],
    [
      db
        .update(lessons)
        .set({ publishedAt: new Date(), html: '', publishedTitle: 'Again' })
        .where(one),
      1,
    ],
    [db.update(lessons).set({ deletedAt: null }).where(one), 2],
    [db.delete(lessons).where(two), 2],
    [db.delete(lessons).where(three), 1],
  ] as const;
  for (const [step, done] of steps) {
    await step;
    expect(await doneOf(learner.id)).toBe(done);
    expect(await differences()).toEqual([]);
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
    const { results } = await env.DB.prepare(
      'SELECT lesson_id FROM lesson_counts WHERE cohort_id = ?',
    )
      .bind(cohort.id)
      .all();
    expect(results, kind).toEqual([]);
  }
});

test('someone who leaves and comes back has started when they first came', async () => {
  const { cohort } = await createClass(1);
  const startedAt = new Date(Date.now() - 1e9);
  const learner = await createEnrollment(cohort, { statusChangedAt: startedAt });
  for (const status of ['left', 'enrolled'] as const) {
    await db
      .update(enrollments)
      .set({ status, statusChangedAt: new Date() })
      .where(eq(enrollments.id, learner.id));
  }
  const found = await env.DB.prepare('SELECT started_at FROM learning WHERE enrollment_id = ?')
    .bind(learner.id)
    .first();
  expect(found).toEqual({ started_at: startedAt.getTime() });
});

test('5,000 people are enrolled at once within a few seconds', async () => {
  const { cohort } = await createClass(1);
  const now = Date.now();
  const ids = JSON.stringify(Array.from({ length: 5_000 }, () => crypto.randomUUID()));
  await db.run(sql`INSERT INTO ${people} (id, owner_id, email, email_canonical, name, name_key,
      language, source, link_version, created_at, updated_at)
    SELECT value, ${cohort.ownerId}, value, value, value, value, 'en', 'imported', 1, ${now}, ${now}
    FROM json_each(${ids})`);
  await db.run(sql`INSERT INTO ${enrollments} (id, owner_id, cohort_id, person_id, name_key, status,
      offer_no, over_capacity, owes_after_leaving, changed_by, status_changed_at, created_at)
    SELECT value, ${cohort.ownerId}, ${cohort.id}, value, value, 'enrolled', 0, 0, 0, 'owner',
      ${now - 60_000}, ${now} FROM json_each(${ids})`);

  expect(Date.now() - now).toBeLessThan(10_000);
  const found = await env.DB.prepare('SELECT count(*) AS count FROM learning WHERE cohort_id = ?')
    .bind(cohort.id)
    .first();
  expect(found).toEqual({ count: 5_000 });
});

/** A cohort of a course with lessons that learners see. */
async function createClass(count: number) {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course);
  const section = await createSectionRow(course);
  const published = [];
  for (let position = 1; position <= count; position += 1) {
    published.push(await createLessonRow(section, { position }));
  }
  return { client, course, cohort, published };
}

async function doneOf(enrollmentId: string | undefined) {
  return await env.DB.prepare('SELECT done FROM learning WHERE enrollment_id = ?')
    .bind(enrollmentId)
    .first('done');
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
