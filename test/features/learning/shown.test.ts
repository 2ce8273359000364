import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { findEmail } from '#features/emails/find-email.ts';
import { findLearnedLessons } from '#features/learning/find-cohort-learning.ts';
import { findLearnerCourses } from '#features/learning/find-learner.ts';
import type { CohortLearning } from '#features/learning/schema.ts';
import { readTable } from '#features/lists/read-table.ts';
import { cohortFacts } from '#features/outbox/queue-mails.ts';
import type { Enrollment, EnrollmentPage } from '#features/places/schema.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { contextOn, readAs } from '#support/context.ts';
import { day } from '#support/days.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { deviceOf } from '#support/learners.ts';
import { createLessonRow, createMark, createSectionRow } from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner } from '../places/support.ts';

startFresh();

test('of a section that a cohort hides, no reader of its lessons shows or counts anything until it is shown', async () => {
  const owner = await createOwner({ startsAt: new Date(start - day) });
  const { course, cohort, user, client, base, read, send } = owner;
  await updateRow(courses, course, { showsOutline: true });
  const sections: { id: string }[] = [];
  const lessons: { id: string; title: string }[] = [];
  for (const [index, title] of ['Open', 'Secret', 'Late'].entries()) {
    const releaseDays = title === 'Late' ? 300 : null;
    const section = await createSectionRow(course, { title, position: index + 1, releaseDays });
    sections.push(section);
    lessons.push(await createLessonRow(section, { title }));
    await createLessonRow(section, { title: 'Gone', position: 2, deletedAt: new Date(start) });
  }
  const { person, ...place } = await createEnrollment(cohort);
  const device = await deviceOf(person);
  for (const lesson of lessons.slice(0, 2)) {
    await createMark(place, lesson);
  }

  /** What each reader says: the lessons that it lists, or how many are done, of how many. */
  const readers = async () => {
    const csv = await readTable(await (await client.get(`${base}roster.csv`)).text());
    const at = csv.rows[0]?.cells.indexOf('lessons_done') ?? 0;
    const { items } = await read<EnrollmentPage>('enrollments/');
    const { learning } = await read<Enrollment>(`enrollments/${place.id}/`);
    const counts = await read<CohortLearning>('learning/');
    const reading = (await findLearnerCourses(contextOn(), device)).courses[0];
    const titleOf = (id: string) => lessons.find((lesson) => lesson.id === id)?.title;
    const email = await readAs(user.id, findEmail(cohort.id, 'nudge'));
    const [facts] = await db.all<{ facts: string }>(sql`SELECT ${cohortFacts} AS facts
      FROM cohorts c JOIN courses k ON k.id = c.course_id WHERE c.id = ${cohort.id}`);
    return {
      public: (await findPublicPage(contextOn(), cohort.slug))?.cohort?.outline.map(
        ({ title }) => title,
      ),
      person: (await readAs(user.id, findLearnedLessons(place.id))).map(({ title }) => title),
      outline: counts.lessons.map(({ id }) => titleOf(id)),
      roster: [items[0]?.learning?.done, items[0]?.learning?.of],
      details: [learning?.done, learning?.of],
      csv: csv.rows[1]?.cells[at],
      learner: [reading?.done, reading?.of],
      email: email?.facts.progress?.of,
      hasLessons: JSON.parse(facts?.facts ?? '').has_lessons,
    };
  };
  const all = {
    public: ['Open', 'Secret', 'Late'],
    person: ['Open', 'Secret', 'Late'],
    outline: ['Open', 'Secret', 'Late'],
    roster: [2, 3],
    details: [2, 3],
    csv: '2',
    learner: [2, 3],
    email: 3,
    hasLessons: 1,
  };
  expect(await readers()).toEqual(all);
  const hide = (at: number) => send('PUT', `sections/${sections[at]?.id}/`, { mode: 'hidden' });
  expect((await hide(1)).status).toBe(200);
  expect(await readers()).toEqual({
    public: ['Open', 'Late'],
    person: ['Open', 'Late'],
    outline: ['Open', 'Late'],
    roster: [1, 2],
    details: [1, 2],
    csv: '1',
    learner: [1, 2],
    email: 2,
    hasLessons: 1,
  });
  await hide(0);
  await hide(2);
  expect(await readers()).toMatchObject({ public: [], person: [], outline: [], hasLessons: 0 });
  for (const { id } of sections) {
    await send('DELETE', `sections/${id}/`);
  }
  expect(await readers()).toEqual(all);
});
