import { beforeEach, expect, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { cohortSections } from '#db/schema/lessons.ts';
import type { DatesPreview } from '#features/cohorts/schema.ts';
import type { CohortSection } from '#features/lessons/schema.ts';
import { crons } from '#settings.ts';
import { loggedEvents } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { createOpenRun, db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { addMeeting, createNextPlace, createPlace, startAt } from '../meetings/support.ts';
import { cohortPath, noWindow, refusal } from '../planning/support.ts';
import { addOutline, addSection, contentOf, createAuthor } from './support.ts';

startAt('2027-02-01T09:00:00Z');
beforeEach(() => {
  fakeResend();
});

type Place = Awaited<ReturnType<typeof createPlace>>;

test('a section opens at once, or after the days that its owner chooses', async () => {
  const { client, course } = await createAuthor();
  const { id } = await addSection(client, course.id, 'Scenes');
  const path = `/api/sections/${id}/`;
  const rules = async () => (await contentOf(client, course.id)).sections.map(ruleOf);
  expect(await rules()).toEqual([null]);

  for (const release_days of [0, 730, 7]) {
    const response = await client.request('PATCH', path, { release_days });
    expect(await response.json()).toMatchObject({ title: 'Scenes', release_days });
  }
  await client.request('PATCH', path, { title: 'Dialogue' });
  const later = { title: 'Endings', release_days: 14 };
  const created = await client.post(`/api/courses/${course.id}/sections/`, later);
  expect(await created.json()).toMatchObject(later);
  expect(await rules()).toEqual([7, 14]);

  const back = await client.request('PATCH', path, { release_days: null });
  expect(await back.json()).toMatchObject({ title: 'Dialogue', release_days: null });
  for (const wrong of [-1, 731, 1.5, '7']) {
    const refused = await refusal(await client.request('PATCH', path, { release_days: wrong }));
    const fields = { release_days: ['Please enter whole days from 0 to 730'] };
    expect(refused).toMatchObject({ status: 400, fields });
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
    const answer = await open(place, id, { mode: 'date', opens_local });
    expect(answer.status).toBe(200);
    const override = { mode: 'date', opens_local, meeting_id: null, edge: null };
    expect(await answer.json()).toEqual({ ...rule, override, opens_at });
    expect(await sectionOf(place, id)).toMatchObject({ override, opens_at });
  }
  await open(place, id, { mode: 'hidden' });
  const hidden = { mode: 'hidden', opens_local: null };
  expect(await sectionOf(place, id)).toMatchObject({ override: hidden, opens_at: null });
  // Another cohort of the course opens it as before.
  const next = await createNextPlace(place);
  expect(await sectionOf(next, id)).toEqual(rule);

  for (const _ of ['once', 'again']) {
    expect((await place.client.request('DELETE', sectionPath(place, id))).status).toBe(204);
    expect(await sectionOf(place, id)).toEqual(rule);
  }
});

test('a section that opens with a live session moves with it, until the session is canceled', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { id } = await addRule(place, 7);
  const { id: meeting_id } = await addMeeting(place);
  await open(place, id, { mode: 'meeting', meeting_id, edge: 'start' });
  expect(await sectionOf(place, id)).toMatchObject({ opens_at: '2027-03-02T17:00:00.000Z' });
  await open(place, id, { mode: 'meeting', meeting_id, edge: 'end' });
  expect(await sectionOf(place, id)).toMatchObject({ opens_at: '2027-03-02T18:30:00.000Z' });
  await place.change(meeting_id, { starts_local: '2027-03-04T18:00', duration_minutes: 60 });
  expect(await sectionOf(place, id)).toMatchObject({ opens_at: '2027-03-04T18:00:00.000Z' });

  await place.drop(meeting_id);
  expect(await sectionOf(place, id)).toMatchObject({
    override: { mode: 'meeting', meeting_id },
    opens_at: '2027-03-07T23:00:00.000Z',
  });
});

test('what a section can’t open with is refused, and nothing is stored', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { id } = await addRule(place, 7);
  const next = await createNextPlace(place);
  const theirs = await addMeeting(next);
  const cancelled = await addMeeting(place);
  await place.drop(cancelled.id);
  const noMeeting = { meeting_id: ['Please choose a live session'] };
  for (const [input, fields] of [
    [{ mode: 'date' }, { opens_local: ['Please choose a date'] }],
    [{ mode: 'date', opens_local: '' }, { opens_local: ['Please choose a date'] }],
    [{ mode: 'date', opens_local: '2027-02-30' }, { opens_local: ['This date does not exist'] }],
    [
      { mode: 'date', opens_local: '2027-03-28T02:30' },
      { opens_local: [expect.stringContaining('the clocks go forward')] },
    ],
    [{ mode: 'meeting', edge: 'end' }, noMeeting],
    [{ mode: 'meeting', edge: 'end', meeting_id: theirs.id }, noMeeting],
    [{ mode: 'meeting', edge: 'end', meeting_id: cancelled.id }, noMeeting],
    [{ mode: 'sometime' }, { mode: [expect.any(String)] }],
    [{ mode: 'hidden', opens_local: '2027-03-29' }, { opens_local: [expect.any(String)] }],
  ] as const) {
    const answer = await refusal(await open(place, id, input));
    expect(answer, JSON.stringify(input)).toMatchObject({ status: 400, fields });
  }
  expect(await sectionOf(place, id)).toMatchObject({ override: null });
});

test('an open run has no dates to open sections on, and the trash changes nothing', async () => {
  const author = await createAuthor();
  const { id } = await addSection(author.client, author.course.id, 'Scenes');
  const run = await createOpenRun(author.course);
  const inRun = { client: author.client, cohort: run };
  const answers = [
    await open(inRun, id, { mode: 'hidden' }),
    await author.client.request('DELETE', sectionPath(inRun, id)),
    await author.client.get(cohortPath(run.id, 'sections/')),
  ];
  for (const answer of answers) {
    expect(await refusal(answer)).toMatchObject({ status: 422, code: 'course_self_paced' });
  }

  const place = await createPlace();
  const section = await addRule(place, 7);
  await place.client.request('DELETE', cohortPath(place.cohort.id), {});
  const refused = await open(place, section.id, { mode: 'hidden' });
  expect(await refusal(refused)).toMatchObject({ code: 'cohort_in_trash' });
});

test('moving a cohort moves the days on which sections open there, and shows them before', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { sections } = await addOutline(place, { Days: [], Times: [], Hidden: [] });
  const { Days: day, Times: time, Hidden: hidden } = sections;
  await open(place, day, { mode: 'date', opens_local: '2027-03-20' });
  await open(place, time, { mode: 'date', opens_local: '2027-03-21T02:30' });
  await open(place, hidden, { mode: 'hidden' });
  const target = { starts_on: '2027-03-08', ends_on: '2027-12-07' };
  const preview = await move(place, { ...target, dry_run: true });
  expect(preview.sections?.toSorted((one, other) => one.after.localeCompare(other.after))).toEqual([
    { id: day, title: 'Days', before: '2027-03-20', after: '2027-03-27' },
    // The clocks skip half past two.
    { id: time, title: 'Times', before: '2027-03-21T02:30', after: '2027-03-28T03:30' },
  ]);
  expect(await sectionOf(place, day)).toMatchObject({ opens_at: '2027-03-19T23:00:00.000Z' });

  await move(place, target);
  for (const _ of ['once', 'again']) {
    expect(await openingOf(place, day)).toEqual(['2027-03-27', '2027-03-26T23:00:00.000Z']);
    expect(await openingOf(place, time)).toEqual(['2027-03-28T03:30', '2027-03-28T01:30:00.000Z']);
    await move(place, target);
  }
  await move(place, { ...target, time_zone: 'Asia/Kathmandu' });
  expect(await openingOf(place, day)).toEqual(['2027-03-27', '2027-03-26T18:15:00.000Z']);
  expect(await sectionOf(place, hidden)).toMatchObject({ override: { mode: 'hidden' } });
});

test('a day that is chosen while a cohort moves to another zone is refused', async () => {
  const place = await createPlace();
  const { id } = await addRule(place, 7);
  const zone = { timeZone: 'Asia/Kathmandu' };
  const DB = beforeWriting(() => updateRow(cohorts, place.cohort, zone));
  const input = { mode: 'date', opens_local: '2027-03-29' };
  const refused = await open(place, id, input, { bindings: { DB } });
  expect(await refusal(refused)).toMatchObject({ status: 422, code: 'dates_changed' });
});

test('another zone of a draft is that of the days, too', async () => {
  const place = await createPlace();
  const { id } = await addRule(place, 7);
  await open(place, id, { mode: 'date', opens_local: '2027-03-29' });
  const zone = { time_zone: 'America/Vancouver' };
  expect((await place.client.request('PATCH', cohortPath(place.cohort.id), zone)).status).toBe(200);
  expect(await openingOf(place, id)).toEqual(['2027-03-29', '2027-03-29T07:00:00.000Z']);
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

const ruleOf = ({ release_days: days }: { release_days: number | null }) => days;

/** A section of the place's course that opens after so many days. */
async function addRule({ client, course }: Place, release_days: number | null) {
  const input = { title: `After ${release_days}`, release_days };
  return (await client.post(`/api/courses/${course.id}/sections/`, input)).json<CohortSection>();
}

type InCohort = { client: Place['client']; cohort: { id: string } };

function sectionPath({ cohort }: InCohort, id: string): string {
  return cohortPath(cohort.id, `sections/${id}/`);
}

function open(place: InCohort, id = '', input: object = {}, options = {}) {
  return place.client.request('PUT', sectionPath(place, id), input, options);
}

async function sectionsOf({ client, cohort }: InCohort): Promise<CohortSection[]> {
  return (await client.get(cohortPath(cohort.id, 'sections/'))).json<CohortSection[]>();
}

async function sectionOf(place: InCohort, id = '') {
  return (await sectionsOf(place)).find((section) => section.id === id);
}

/** The day or time that a cohort has for a section, and its instant. */
async function openingOf(place: InCohort, id = '') {
  const section = await sectionOf(place, id);
  return [section?.override?.opens_local, section?.opens_at];
}

async function move({ client, cohort }: Place, target: object): Promise<DatesPreview> {
  vi.setSystemTime(Date.now() + 1_000);
  const { starts_on, ends_on, time_zone } = await (await client.get(cohortPath(cohort.id))).json<
    typeof cohort
  >();
  const days = { starts_on, ends_on, time_zone };
  const input = { ...days, expected: { ...days, ...noWindow }, notify: false, ...target };
  const response = await client.post(cohortPath(cohort.id, 'move/'), input);
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json<DatesPreview>();
}
