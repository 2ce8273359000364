import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createCourseRow, createOpenRun, createUser } from '#support/factories.ts';
import { createLessonRow, createSectionRow, draft } from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';

startFresh();

async function createRun(values: Parameters<typeof createOpenRun>[1] = {}) {
  const user = await createUser();
  const course = await createCourseRow(user.id, { name: 'Grammar', about: 'One a day.' });
  return { course, run: await createOpenRun(course, values) };
}

test('at the address of an evergreen course, everyone sees its lessons with their days, also if its outline is not shown', async () => {
  const { course, run } = await createRun({ accessDays: 90, joinUrl: 'https://secret.example' });
  const commas = await createSectionRow(course, { position: 2, title: 'Commas', releaseDays: 7 });
  const sentences = await createSectionRow(course, { position: 1 });
  await createLessonRow(commas, { title: 'Lists', minutes: 12 });
  await createLessonRow(sentences, { position: 1, title: 'Subjects' });
  await createLessonRow(sentences, { position: 2, title: 'secret draft', ...draft });

  const page = await findPublicPage(contextOn(), run.slug);
  expect(page).toMatchObject({ cohort: null, course: null });
  expect(page?.run).toMatchObject({
    courseName: 'Grammar',
    about: 'One a day.',
    accessDays: 90,
    enrollmentState: 'open',
    hasEnded: false,
    cohorts: [],
    outline: [
      { section: sentences.id, heading: null, title: 'Subjects', releaseDays: null },
      { section: commas.id, heading: 'Commas', title: 'Lists', releaseDays: 7, minutes: 12 },
    ],
  });
  expect(JSON.stringify(page)).not.toContain('secret');
});

test('what the public API says of a run has no dates, and changes with its enrollment', async () => {
  const { run } = await createRun({ capacity: 3 });
  const availability = async () => {
    const response = await createClient().get(`/api/public/cohorts/${run.slug}/`);
    const text = await response.text();
    expect(text).not.toMatch(/2100|2101|cohort/);
    return JSON.parse(text);
  };
  expect(await availability()).toMatchObject({ enrollment_state: 'open', places_left: 3 });

  await updateRow(cohorts, run, { enrollmentOverride: 'closed' });
  expect(await availability()).toMatchObject({ enrollment_state: 'closed' });
});

test('the cohorts that an evergreen course still has stand below, without its run', async () => {
  const { course, run } = await createRun();
  const cohort = await createCohortRow(course, { name: 'Winter', publishedAt: new Date() });

  const page = await findPublicPage(contextOn(), run.slug);
  expect(page?.run?.cohorts).toMatchObject([{ slug: cohort.slug, name: 'Winter' }]);
});

test('a course that is taught in cohorts again has its own page, and its run is not on it', async () => {
  const { course, run } = await createRun();
  await updateRow(courses, course, { courseType: 'cohort' });

  const page = await findPublicPage(contextOn(), run.slug);
  expect(page).toMatchObject({ cohort: null, run: null, course: { name: 'Grammar', cohorts: [] } });
});
