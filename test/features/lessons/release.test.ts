import { beforeEach, expect, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { cohortSections } from '#db/schema/lessons.ts';
import { users } from '#db/schema/users.ts';
import { findLessonFacts } from '#features/lessons/find-lesson-facts.ts';
import { findOutline } from '#features/lessons/find-outline.ts';
import { openingCohort, shownSections } from '#features/lessons/outline-texts.ts';
import type { CohortSection } from '#features/lessons/schema.ts';
import { i18nFor } from '#i18n/server.ts';
import { crons } from '#settings.ts';
import { loggedEvents } from '#support/console.ts';
import { readAs, runByClock } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { createCohortRow, createEnrollment, createOpenRun, db } from '#support/factories.ts';
import { createMark } from '#support/lesson-rows.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { addMeeting, createNextPlace, createPlace, startAt } from '../meetings/support.ts';
import { refused } from '../places/support.ts';
import { cohortPath, invalid, move } from '../planning/support.ts';
import {
  addLesson,
  addOutline,
  addSection,
  contentOf,
  createAuthor,
  documentOf,
  publish,
} from './support.ts';

startAt('2027-02-01T09:00:00Z');
beforeEach(() => {
  fakeResend();
});

type Place = Awaited<ReturnType<typeof createPlace>>;

test('a section opens at once, or after the days that its owner chooses', async () => {
  const { client, course, send } = await createAuthor();
  const { id } = await addSection(client, course.id, 'Scenes');
  const patch = (input: object) => send('PATCH', `/api/sections/${id}/`, input);
  const rules = async () =>
    (await contentOf(client, course.id)).sections.map(({ release_days: days }) => days);
  expect(await rules()).toEqual([null]);

  for (const release_days of [0, 730, 7]) {
    const { body } = await patch({ release_days });
    expect(body).toMatchObject({ title: 'Scenes', release_days });
  }
  await patch({ title: 'Dialogue' });
  const later = { title: 'Endings', release_days: 14 };
  const created = await send('POST', `/api/courses/${course.id}/sections/`, later);
  expect(created.body).toMatchObject(later);
  expect(await rules()).toEqual([7, 14]);

  const back = await patch({ release_days: null });
  expect(back.body).toMatchObject({ title: 'Dialogue', release_days: null });
  const wrong = invalid({ release_days: ['Please enter whole days from 0 to 730'] });
  for (const release_days of [-1, 731, 1.5, '7']) {
    expect(await patch({ release_days })).toMatchObject(wrong);
  }
});

test('a cohort opens a section on a day or at a time of its own, and again as the course says', async () => {
  const place = await createPlace();
  const { id } = await addRule(place, 7);
  const rule = await sectionOf(place, id);
  expect(rule).toMatchObject({ override: null, opens_at: '2027-03-07T23:00:00.000Z' });

  for (const [opens_local, opens_at] of [
    ['2027-03-29', '2027-03-28T22:00:00.000Z'],
    ['2027-03-29T18:30', '2027-03-29T16:30:00.000Z'],
  ]) {
    const override = { mode: 'date', opens_local, meeting_id: null, edge: null };
    const opened = { status: 200, body: { ...rule, override, opens_at } };
    expect(await open(place, id, { mode: 'date', opens_local })).toEqual(opened);
    expect(await sectionOf(place, id)).toMatchObject({ override, opens_at });
  }
  await open(place, id, { mode: 'hidden' });
  const hidden = { mode: 'hidden', opens_local: null };
  expect(await sectionOf(place, id)).toMatchObject({ override: hidden, opens_at: null });
  // Another cohort of the course opens it as before.
  expect(await sectionOf(await createNextPlace(place), id)).toEqual(rule);

  for (const _ of ['once', 'again']) {
    expect((await place.send('DELETE', sectionPath(place, id))).status).toBe(204);
    expect(await sectionOf(place, id)).toEqual(rule);
  }
});

test('a section that opens with a live session moves with it, until the session is canceled', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { id } = await addRule(place, 7);
  const { id: meeting_id } = await addMeeting(place);
  const opensAt = async () => (await sectionOf(place, id))?.opens_at;
  await open(place, id, { mode: 'meeting', meeting_id, edge: 'start' });
  expect(await opensAt()).toBe('2027-03-02T17:00:00.000Z');
  await open(place, id, { mode: 'meeting', meeting_id, edge: 'end' });
  expect(await opensAt()).toBe('2027-03-02T18:30:00.000Z');
  await place.change(meeting_id, { starts_local: '2027-03-04T18:00', duration_minutes: 60 });
  expect(await opensAt()).toBe('2027-03-04T18:00:00.000Z');

  await place.drop(meeting_id);
  expect(await sectionOf(place, id)).toMatchObject({
    override: { mode: 'meeting', meeting_id },
    opens_at: '2027-03-07T23:00:00.000Z',
  });
});

test('what a section can’t open with is refused, and nothing is stored', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { id } = await addRule(place, 7);
  const theirs = await addMeeting(await createNextPlace(place));
  const cancelled = await addMeeting(place);
  await place.drop(cancelled.id);
  const noDate = { opens_local: ['Please choose a date'] };
  const noMeeting = { meeting_id: ['Please choose a live session'] };
  const skipped = expect.stringContaining('the clocks go forward');
  for (const [input, fields] of [
    [{ mode: 'date' }, noDate],
    [{ mode: 'date', opens_local: '' }, noDate],
    [{ mode: 'date', opens_local: '2027-02-30' }, { opens_local: ['This date does not exist'] }],
    [{ mode: 'date', opens_local: '2027-03-28T02:30' }, { opens_local: [skipped] }],
    [{ mode: 'meeting', edge: 'end' }, noMeeting],
    [{ mode: 'meeting', edge: 'end', meeting_id: theirs.id }, noMeeting],
    [{ mode: 'meeting', edge: 'end', meeting_id: cancelled.id }, noMeeting],
    [{ mode: 'sometime' }, { mode: [expect.any(String)] }],
    [{ mode: 'hidden', opens_local: '2027-03-29' }, { opens_local: [expect.any(String)] }],
  ] as const) {
    expect(await open(place, id, input), JSON.stringify(input)).toMatchObject(invalid(fields));
  }
  expect(await sectionOf(place, id)).toMatchObject({ override: null });
});

test('an open run has no dates to open sections on, and the trash changes nothing', async () => {
  const { client, course, send } = await createAuthor();
  const { id } = await addSection(client, course.id, 'Scenes');
  const inRun = { send, cohort: await createOpenRun(course) };
  for (const answer of [
    await open(inRun, id, { mode: 'hidden' }),
    await send('DELETE', sectionPath(inRun, id)),
    await send('GET', sectionPath(inRun)),
  ]) {
    expect(answer).toMatchObject(refused('course_self_paced'));
  }

  const place = await createPlace();
  const section = await addRule(place, 7);
  await place.act('DELETE', '', {});
  const answer = await open(place, section.id, { mode: 'hidden' });
  expect(answer).toMatchObject(refused('cohort_in_trash'));
});

test('moving a cohort moves the days on which sections open there, and shows them before', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { sections } = await addOutline(place, { Days: [], Times: [], Hidden: [] });
  const { Days: day, Times: time, Hidden: hidden } = sections;
  await open(place, day, { mode: 'date', opens_local: '2027-03-20' });
  await open(place, time, { mode: 'date', opens_local: '2027-03-21T02:30' });
  await open(place, hidden, { mode: 'hidden' });
  const target = { starts_on: '2027-03-08', ends_on: '2027-12-07', notify: false };
  const { body: preview } = await move(place, { ...target, dry_run: true });
  expect(preview.sections?.toSorted((one, other) => one.after.localeCompare(other.after))).toEqual([
    { id: day, title: 'Days', before: '2027-03-20', after: '2027-03-27' },
    // The clocks skip half past two.
    { id: time, title: 'Times', before: '2027-03-21T02:30', after: '2027-03-28T03:30' },
  ]);
  expect(await openingOf(place, day)).toEqual(['2027-03-20', '2027-03-19T23:00:00.000Z']);

  for (const _ of ['once', 'again']) {
    vi.setSystemTime(Date.now() + 1_000);
    expect((await move(place, target)).status).toBe(200);
    expect(await openingOf(place, day)).toEqual(['2027-03-27', '2027-03-26T23:00:00.000Z']);
    expect(await openingOf(place, time)).toEqual(['2027-03-28T03:30', '2027-03-28T01:30:00.000Z']);
  }
  await move(place, { ...target, time_zone: 'Asia/Kathmandu' });
  expect(await openingOf(place, day)).toEqual(['2027-03-27', '2027-03-26T18:15:00.000Z']);
  expect(await sectionOf(place, hidden)).toMatchObject({ override: { mode: 'hidden' } });
});

test('another zone of a draft is that of the days, too; one that is chosen meanwhile is refused', async () => {
  const place = await createPlace();
  const { id } = await addRule(place, 7);
  const input = { mode: 'date', opens_local: '2027-03-29' };
  await open(place, id, input);
  expect((await place.patch({ time_zone: 'America/Vancouver' })).status).toBe(200);
  expect(await openingOf(place, id)).toEqual(['2027-03-29', '2027-03-29T07:00:00.000Z']);

  const DB = beforeWriting(() => updateRow(cohorts, place.cohort, { timeZone: 'Asia/Kathmandu' }));
  const raced = await open(place, id, input, { bindings: { DB } });
  expect(raced).toMatchObject(refused('dates_changed'));
});

test('instants that another runtime has written are computed again overnight', async () => {
  await db.delete(cohortSections);
  const place = await createPlace();
  const { id } = await addRule(place, 7);
  await open(place, id, { mode: 'date', opens_local: '2027-03-29T18:30' });
  const right = await sectionOf(place, id);
  await db.update(cohortSections).set({ opensAt: new Date('2027-03-29T17:30:00Z') });
  const job = jobs.filter(({ name }) => name === 'renewal of sections of courses');
  for (const _ of ['once', 'again']) {
    await runByClock({}, { cron: crons.nightly, jobs: job });
    expect(await sectionOf(place, id)).toEqual(right);
  }
  expect(loggedEvents('sections_moved')).toMatchObject([
    { sections: 1, is_done: true },
    { sections: 0, is_done: true },
  ]);
});

/** A section of the place's course that opens after so many days. */
async function addRule({ send, course }: Place, release_days: number) {
  const input = { title: `After ${release_days}`, release_days };
  return (await send<CohortSection>('POST', `/api/courses/${course.id}/sections/`, input)).body;
}

type InCohort = Pick<Place, 'send'> & { cohort: { id: string } };

function sectionPath({ cohort }: InCohort, id?: string): string {
  return cohortPath(cohort.id, id === undefined ? 'sections/' : `sections/${id}/`);
}

function open(place: InCohort, id = '', input: object = {}, options = {}) {
  return place.send('PUT', sectionPath(place, id), input, options);
}

async function sectionOf(place: InCohort, id = '') {
  const { body } = await place.send<CohortSection[]>('GET', sectionPath(place));
  return body.find((section) => section.id === id);
}

/** The day or time that a cohort has for a section, and its instant. */
async function openingOf(place: InCohort, id = '') {
  const section = await sectionOf(place, id);
  return [section?.override?.opens_local, section?.opens_at];
}

test('the outline of a cohort course says when each section opens in the chosen cohort', async () => {
  const place = await createPlace();
  const { act, cohort, send } = place;
  const next = await createNextPlace(place);
  const titles = { Seeing: [], Scenes: [], Dialogue: [], Endings: [] };
  const { Scenes: scenes, ...sections } = (await addOutline(place, titles)).sections;
  expect(await opensIn(place, cohort.id)).toEqual([null, null, null, null]);

  await send('PATCH', `/api/sections/${scenes}/`, { release_days: 7 });
  const ruled = ['Opens at once', 'Opens on day 7 · Mar 8', 'Opens at once', 'Opens at once'];
  expect(await opensIn(place, cohort.id)).toEqual(ruled);

  const open = (id: string | undefined, input: object) => act('PUT', `sections/${id}/`, input);
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

test('the cohort that runs is chosen, or else comes next, or was the latest; only one that runs and has opened a lesson reads it', async () => {
  const author = await createAuthor();
  const lesson = await addLesson(author.client, author.course.id, {
    document: documentOf('Said is enough.'),
  });
  await publish(author.client, lesson);
  await author.send('PATCH', `/api/courses/${author.course.id}/`, { course_type: 'cohort' });
  const opened = async () => (await outlineOf(author, null)).opened;
  expect(await opened()).toEqual(new Set());
  const chosen = async () => (await outlineOf(author, null)).progress?.cohort.name;
  const reading = async () => (await readAs(author.user.id, findLessonFacts(lesson.id)))?.cohorts;
  for (const [name, first, last, expected, readers] of [
    ['Autumn', '2026-09-01', '2026-11-01', 'Autumn', 0],
    ['Winter', '2026-11-02', '2027-01-20', 'Winter', 0],
    ['Summer', '2027-06-01', '2027-08-01', 'Summer', 0],
    ['Spring', '2027-03-01', '2027-05-01', 'Spring', 0],
    ['Now', '2027-01-25', '2027-02-10', 'Now', 1],
  ] as const) {
    const [startsAt, endsAt] = [new Date(`${first}T00:00:00Z`), new Date(`${last}T00:00:00Z`)];
    const values = { name, startsOn: first, endsOn: last, startsAt, endsAt };
    const cohort = await createCohortRow(author.course, { ...values, publishedAt: startsAt });
    const someone = await createEnrollment(cohort);
    expect([await chosen(), await reading()]).toEqual([expected, 0]);
    await createMark(someone, lesson);
    expect(await reading()).toBe(readers);
    expect(await opened()).toEqual(new Set([lesson.id]));
  }
});

test('the outline of an evergreen course has its rules, and the progress of its people', async () => {
  const author = await createAuthor();
  const { client, course, send } = author;
  for (const release_days of [null, 0, 1, 7]) {
    await send('POST', `/api/courses/${course.id}/sections/`, { title: 'Part', release_days });
  }
  const lesson = await addLesson(client, course.id);
  await publish(client, lesson);
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
  await send('PATCH', `/api/courses/${course.id}/`, { course_type: 'cohort' });
  expect((await outlineOf(author, null)).progress).toBeNull();
});

type Owner = { user: { id: string }; course: { id: string } };

async function outlineOf({ user, course }: Owner, cohortId: string | null) {
  await updateRow(users, user, { selectedCourseId: course.id });
  return readAs(user.id, findOutline(cohortId));
}

async function opensIn(owner: Owner, cohortId: string | null, locale: 'en' | 'fr' = 'en') {
  const { content, opened, progress } = await outlineOf(owner, cohortId);
  const isEvergreen = progress === null || progress.cohort.kind === 'open';
  const facts = { isEvergreen, opened, progress, now: new Date() };
  return shownSections(i18nFor(locale), content.sections, facts).map(({ opens }) => opens);
}
