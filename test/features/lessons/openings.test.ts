import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { users } from '#db/schema/users.ts';
import { findOutline } from '#features/lessons/find-outline.ts';
import { openingCohort, shownSections } from '#features/lessons/outline-texts.ts';
import { i18nFor } from '#i18n/server.ts';
import { contextOn } from '#support/context.ts';
import { createEnrollment, createOpenRun } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { addMeeting, createNextPlace, createPlace, startAt } from '../meetings/support.ts';
import { cohortPath } from '../planning/support.ts';
import { addLesson, addOutline, createAuthor } from './support.ts';

startAt('2027-02-01T09:00:00Z');

test('the outline of a cohort course says when each section opens in the chosen cohort', async () => {
  const place = await createPlace();
  const { client, cohort } = place;
  const next = await createNextPlace(place);
  const titles = { Seeing: [], Scenes: [], Dialogue: [], Endings: [] };
  const { Scenes: scenes, ...sections } = (await addOutline(place, titles)).sections;
  expect(await opensIn(place, cohort.id)).toEqual([null, null, null, null]);

  await client.request('PATCH', `/api/sections/${scenes}/`, { release_days: 7 });
  const ruled = ['Opens at once', 'Opens on day 7 · Mar 8', 'Opens at once', 'Opens at once'];
  expect(await opensIn(place, cohort.id)).toEqual(ruled);

  const open = (id: string | undefined, input: object) =>
    client.request('PUT', cohortPath(cohort.id, `sections/${id}/`), input);
  await open(scenes, { mode: 'date', opens_local: '2027-01-11' });
  await open(sections['Dialogue'], { mode: 'hidden' });
  const { id: meeting_id } = await addMeeting(place);
  await open(sections['Endings'], { mode: 'meeting', meeting_id, edge: 'start' });
  expect(await opensIn(place, cohort.id)).toEqual([
    'Opens at once',
    'Opened Monday, January 11',
    'Hidden in this cohort',
    'Opens with “⁨Reading aloud⁩”',
  ]);
  expect(await opensIn(place, next.cohort.id)).toEqual(ruled);

  await place.drop(meeting_id);
  await open(scenes, { mode: 'date', opens_local: '2027-03-11T18:30' });
  const [, onDay, , withoutSession] = await opensIn(place, cohort.id, 'fr');
  expect(onDay).toBe('S’ouvre le jeudi 11 mars à 18:30');
  expect(withoutSession).toBe('Ouverte dès le début');
});

test('a cohort in which no one is yet can be chosen, after those with people', async () => {
  const place = await createPlace();
  const next = await createNextPlace(place);
  const { people, cohort, others } = (await outlineOf(place, null)).progress ?? {};
  expect([people, cohort?.id, others?.length]).toEqual([0, expect.any(String), 1]);
  await createEnrollment({ id: next.cohort.id, ownerId: place.user.id });

  const first = await outlineOf(place, null);
  expect(first.progress).toMatchObject({ cohort: { id: next.cohort.id }, people: 1 });
  const chosen = await outlineOf(place, place.cohort.id);
  expect(chosen.progress).toMatchObject({ cohort: { id: place.cohort.id }, people: 0 });
});

test('the outline of an evergreen course has its rules, and the progress of its people', async () => {
  const author = await createAuthor();
  const { client, course } = author;
  for (const release_days of [null, 0, 1, 7]) {
    await client.post(`/api/courses/${course.id}/sections/`, { title: 'Part', release_days });
  }
  const lesson = await addLesson(client, course.id);
  await client.post(`/api/lessons/${lesson.id}/publish/`, { draft_version: 0 });
  const rules = ['Opens at once', 'Opens at once', 'Opens on day 1', 'Opens on day 7'];
  expect(await opensIn(author, null)).toEqual(rules);

  const run = await createOpenRun(course);
  await createEnrollment(run);
  await createEnrollment(run);
  const { progress } = await outlineOf(author, null);
  expect(progress).toMatchObject({ cohort: { id: run.id, kind: 'open' }, people: 2, others: [] });
  expect(progress && openingCohort(i18nFor('en'), progress)).toBeNull();
  expect(await opensIn(author, null)).toEqual(rules);
  const inFrench = ['S’ouvre le 1ᵉʳ jour', 'S’ouvre le 7ᵉ jour'];
  expect((await opensIn(author, null, 'fr')).slice(2)).toEqual(inFrench);

  // As a course of cohorts, it has none of them.
  await client.request('PATCH', `/api/courses/${course.id}/`, { course_type: 'cohort' });
  expect((await outlineOf(author, null)).progress).toBeNull();
});

type Owner = { user: { id: string }; course: { id: string } };

async function outlineOf({ user, course }: Owner, cohortId: string | null) {
  await updateRow(users, user, { selectedCourseId: course.id });
  const ctx = contextOn();
  const id = sql`${user.id}`;
  const { outline } = await ask(ctx, { outline: findOutline(cohortId)(ctx, id, id) });
  return { ...outline, now: ctx.now() };
}

async function opensIn(owner: Owner, cohortId: string | null, locale: 'en' | 'fr' = 'en') {
  const { content, progress, now } = await outlineOf(owner, cohortId);
  const isEvergreen = progress === null || progress.cohort.kind === 'open';
  const facts = { isEvergreen, progress, now };
  return shownSections(i18nFor(locale), content.sections, facts).map(({ opens }) => opens);
}
