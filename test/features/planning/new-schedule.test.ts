import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { daysOff, meetings } from '#db/schema/meetings.ts';
import type { DatesPreview } from '#features/cohorts/schema.ts';
import type { ScheduleTable } from '#features/meetings/schema.ts';
import {
  addedRow,
  arrange,
  dayAfter,
  meetingDays,
  scheduleOf,
} from '#features/meetings/session-rows.ts';
import { db } from '#support/factories.ts';
import { refused } from '../places/support.ts';
import { cohortPath, createCohort, createTeacher, days, invalid, move, spring } from './support.ts';

const first = { title: 'Desire', starts_local: '2027-01-04T18:30', duration_minutes: 150 };
const second = { ...first, title: 'Trouble', starts_local: '2027-01-11T18:30' };
const holiday = { on_date: '2027-01-18', reason: 'Martin Luther King Jr. Day' };
const schedule = {
  meetings: [{ ...first, public_line: ' Chekhov ' }, second],
  days_off: [holiday, { on_date: '2027-01-25' }],
};

/** An instructor who creates a cohort with its schedule, each time with the same key. */
async function createPlanner() {
  const teacher = await createTeacher();
  const options = { headers: { 'Idempotency-Key': 'planned' } };
  const create = (values = {}) => {
    const input = { ...spring, ...schedule, ...values };
    return teacher.send<{ id: string }>('POST', teacher.path, input, options);
  };
  const tableOf = async (id: string) =>
    (await teacher.send<ScheduleTable>('GET', cohortPath(id, 'schedule/'))).body;
  return { ...teacher, create, tableOf };
}

test('a cohort is created with its sessions and days off, once for a retry', async () => {
  const { create, tableOf } = await createPlanner();
  const created = await create();
  expect(created.status).toBe(201);
  expect(await create()).toEqual(created);

  const table = await tableOf(created.body.id);
  expect(table.meetings).toMatchObject([
    { ...first, public_line: 'Chekhov', starts_at: '2027-01-04T17:30:00.000Z', is_announced: true },
    { ...second, public_line: null },
  ]);
  expect(table.days_off).toEqual([holiday, { on_date: '2027-01-25', reason: '' }]);
});

test('other sessions or days off with the same key are refused, until the first have changed', async () => {
  const { create, send } = await createPlanner();
  const { id } = (await create()).body;
  for (const other of [
    { meetings: [first] },
    { meetings: [{ ...first, public_line: 'Gogol' }, second] },
    { days_off: [holiday] },
    { days_off: [holiday, { on_date: '2027-01-25', reason: 'Snow' }] },
  ]) {
    expect(await create(other)).toMatchObject(refused('idempotency_key_reused'));
  }
  const added = { ...first, starts_local: '2027-02-01T18:30' };
  expect((await send('POST', cohortPath(id, 'meetings/'), added)).status).toBe(201);
  expect((await create()).body).toMatchObject({ id });
});

test('nothing is created with a session that is refused, or with 201', async () => {
  const { create, user } = await createPlanner();
  for (const [wrong, message] of [
    [[first, { ...second, title: ' ' }], 'Title is required'],
    [Array.from({ length: 201 }, () => first), 'A cohort holds 200 live sessions at most'],
  ]) {
    expect(await create({ meetings: wrong })).toMatchObject(invalid({ meetings: [message] }));
  }
  for (const table of [cohorts, meetings, daysOff]) {
    expect(await db.$count(table, eq(table.ownerId, user.id))).toBe(0);
  }
});

test('a session at a time that clocks skip is later', async () => {
  const skipped = { ...first, starts_local: '2027-03-28T02:30' };
  const long = { ...days, ends_on: '2027-04-30', meetings: [skipped] };
  const { id } = await createCohort(await createTeacher(), long);
  const [row] = await db.select().from(meetings).where(eq(meetings.cohortId, id));
  expect(row?.startsLocal).toBe('2027-03-28T03:30');
});

test('days off move with their cohort, also to where another one was; to a copy only if it keeps their gaps', async () => {
  const { tableOf, ...teacher } = await createPlanner();
  const cohort = await createCohort(teacher, schedule);
  const later = { starts_on: '2027-01-11', ends_on: '2027-02-19' };
  const plan = await move({ ...teacher, cohort }, { ...later, dry_run: true });
  expect(plan.body.days_off).toMatchObject([
    { reason: holiday.reason, before: '2027-01-18', after: '2027-01-25' },
    { before: '2027-01-25', after: '2027-02-01' },
  ]);
  expect((await move({ ...teacher, cohort }, later)).status).toBe(200);
  const daysOffOf = async (id: string) =>
    (await tableOf(id)).days_off.map(({ on_date }) => on_date);
  expect(await daysOffOf(cohort.id)).toEqual(['2027-01-25', '2027-02-01']);

  const copying = { name: 'Copy', starts_on: '2027-03-01' };
  const copy = (input: object) =>
    teacher.send<{ id: string }>('POST', cohortPath(cohort.id, 'duplicate/'), input);
  const preview = await copy({ ...copying, dry_run: true });
  expect(preview.body).toMatchObject({ meetings: [{}, {}], days_off: [] });
  expect(await daysOffOf((await copy(copying)).body.id)).toEqual([]);
  const keeping = { ...copying, name: 'Same gaps', close_gaps: false };
  expect((await copy({ ...keeping, dry_run: true })).body).toMatchObject({
    days_off: [
      { reason: holiday.reason, before: '2027-01-25', after: '2027-03-15' },
      { reason: '', before: '2027-02-01', after: '2027-03-22' },
    ],
  });
  expect((await tableOf((await copy(keeping)).body.id)).days_off).toEqual([
    { ...holiday, on_date: '2027-03-15' },
    { on_date: '2027-03-22', reason: '' },
  ]);
});

test('a copy closes the gaps of days off, at the time of each weekday, and ends sooner, or keeps them', async () => {
  const tuesday = { ...first, starts_local: '2027-01-05T18:30' };
  const at = (day: string, clock: string, title = '') => ({
    ...{ ...tuesday, title: title || day },
    starts_local: `2027-${day}T${clock}`,
  });
  const teacher = await createPlanner();
  const { send } = teacher;
  const cohort = await createCohort(teacher, {
    meetings: [
      at('01-05', '18:30'),
      at('01-07', '19:00'),
      at('01-12', '18:30'),
      at('01-16', '10:00', 'Saturday'),
      at('01-28', '19:00'),
      at('02-02', '18:30'),
    ],
    days_off: [
      { on_date: '2027-01-14' },
      { on_date: '2027-01-18', until: '2027-01-27', reason: 'Winter' },
    ],
  });
  const copyOf = async (values: object) => {
    const input = { name: 'Copy', starts_on: '2027-03-01', ...values };
    const path = cohortPath(cohort.id, 'duplicate/');
    const preview = await send<DatesPreview>('POST', path, { ...input, dry_run: true });
    const { body } = await send<{ id: string; ends_on: string }>('POST', path, input);
    const table = await teacher.tableOf(body.id);
    const starts = table.meetings.map(({ starts_local }) => starts_local.slice(5));
    expect(preview.body.meetings.map(({ after }) => after.slice(5)).sort()).toEqual(starts);
    expect(preview.body.meetings[4]?.before).toBe('2027-01-28T19:00');
    expect(preview.body.after.ends_on).toBe(body.ends_on);
    return [body.ends_on, ...starts];
  };
  expect(await copyOf({ close_gaps: false })).toEqual([
    '2027-04-09',
    ...['03-02T18:30', '03-04T19:00', '03-09T18:30', '03-13T10:00', '03-25T19:00', '03-30T18:30'],
  ]);
  expect(await copyOf({})).toEqual([
    '2027-03-26',
    ...['03-02T18:30', '03-04T19:00', '03-09T18:30', '03-11T19:00', '03-13T10:00', '03-16T18:30'],
  ]);
});

test.each([
  [
    ['09:00', '14:00'],
    ['10:00', '15:00'],
    ['10:00', '15:00'],
  ],
  // A day with fewer sessions has no time for the second.
  [['09:00', '14:00'], ['14:00'], ['09:00', '14:00']],
])('of sessions at %j, each takes the time of its place among %j', async (own, other, taken) => {
  const on = (day: string, clocks: string[]) =>
    clocks.map((clock) => ({ ...first, starts_local: `${day}T${clock}` }));
  const teacher = await createPlanner();
  const { id } = await createCohort(teacher, {
    meetings: [
      ...[...on('2027-01-05', own), ...on('2027-01-07', other), ...on('2027-01-12', own)],
      ...[...on('2027-01-14', other), ...on('2027-01-19', own), ...on('2027-01-26', own)],
    ],
    days_off: [{ on_date: '2027-01-21' }],
  });
  const input = { name: 'Copy', starts_on: days.starts_on };
  const copy = await teacher.send<{ id: string }>('POST', cohortPath(id, 'duplicate/'), input);
  const { meetings: copied } = await teacher.tableOf(copy.body.id);
  expect(copied.slice(-2).map(({ starts_local }) => starts_local)).toEqual(
    taken.map((clock) => `2027-01-21T${clock}`),
  );
});

test('rows for which there is no day at present come back with their day', () => {
  const mondays = (last: string) => meetingDays('2027-01-11', last, [1]);
  const blank = arrange({ rows: [], spare: [] }, mondays('2027-02-22'));
  const rows = blank.rows.map((row, index) => ({ ...row, title: `Topic ${index}`, line: 'Read' }));
  const off = { isOff: true, reason: 'Holiday' };
  const typed = {
    ...blank,
    rows: rows.map((row, index) => (index === 3 ? { ...row, ...off } : row)),
  };

  const one = arrange(typed, mondays('2027-01-11'));
  expect(one.rows).toEqual(typed.rows.slice(0, 1));
  // A week more than the titles, and other weekdays in between.
  const tuesdays = arrange(one, meetingDays('2027-01-11', '2027-02-09', [2]));
  expect(tuesdays.rows.map(({ title }) => title)).toEqual([0, 1, 2, 4, 5].map((n) => `Topic ${n}`));
  const back = arrange(tuesdays, mondays('2027-03-01'));
  expect(back.rows.slice(0, -1)).toEqual(typed.rows);
  expect(back).toMatchObject({ rows: { 7: { title: '', isOff: false } }, spare: [] });
  expect(arrange(back, mondays('2027-03-01'))).toBe(back);
});

test('a session is added a week after the last one, and on the first day without one, at the time of others on its weekday', () => {
  const dated = [addedRow(''), addedRow('2027-01-18')];
  expect(dayAfter(dated, '2027-01-11')).toBe('2027-01-25');
  expect(dayAfter(dated.slice(0, 1), '2027-01-11')).toBe('2027-01-11');
  expect(dayAfter([], '2027-01-11')).toBe('2027-01-11');

  const saturday = addedRow('2027-01-16', { clock: '10:00', minutes: 60 });
  const monday = addedRow('2027-01-18', { clock: '18:30', minutes: 150 });
  const added = ['2027-01-23', '2027-01-26', ''].map((day) => addedRow(day));
  const last = { clock: '18:30', minutes: 150 };
  expect(scheduleOf([saturday, monday, ...added], last, '#').meetings.slice(2)).toMatchObject([
    { starts_local: '2027-01-23T10:00', duration_minutes: 60 },
    { starts_local: '2027-01-26T18:30', duration_minutes: 150 },
    { starts_local: 'T18:30' },
  ]);
});
