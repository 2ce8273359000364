import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { daysOff, meetings } from '#db/schema/meetings.ts';
import type { ScheduleTable } from '#features/meetings/schema.ts';
import {
  addedRow,
  arrange,
  dayAfter,
  meetingDays,
  scheduleOf,
} from '#features/meetings/session-rows.ts';
import { db } from '#support/factories.ts';
import { cohortPath, createCohort, createTeacher, days, refusal, spring } from './support.ts';

const first = { title: 'Desire', starts_local: '2027-01-04T18:30', duration_minutes: 150 };
const second = { ...first, title: 'Trouble', starts_local: '2027-01-11T18:30' };
const holiday = { on_date: '2027-01-18', reason: 'Martin Luther King Jr. Day' };
const schedule = {
  meetings: [{ ...first, public_line: ' Chekhov ' }, second],
  days_off: [holiday, { on_date: '2027-01-25' }],
};

test('a cohort is created with its sessions and days off, once for a retry', async () => {
  const teacher = await createTeacher();
  const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
  const ids = [];
  for (let index = 0; index < 2; index += 1) {
    const response = await teacher.client.post(teacher.path, { ...spring, ...schedule }, key);
    expect(response.status, await response.clone().text()).toBe(201);
    ids.push((await response.json<{ id: string }>()).id);
  }
  const [id = '', again] = ids;
  expect(again).toBe(id);
  const read = await teacher.client.get(cohortPath(id, 'schedule/'));
  const table = await read.json<ScheduleTable>();
  expect(table.meetings).toMatchObject([
    { ...first, public_line: 'Chekhov', starts_at: '2027-01-04T17:30:00.000Z', is_announced: true },
    { ...second, public_line: null },
  ]);
  expect(table.days_off).toEqual([holiday, { on_date: '2027-01-25', reason: '' }]);
});

test('other sessions or days off with the same key are refused, until the first have changed', async () => {
  const teacher = await createTeacher();
  const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
  const create = (values: object) =>
    teacher.client.post(teacher.path, { ...spring, ...schedule, ...values }, key);
  const { id } = await (await create({})).json<{ id: string }>();
  for (const other of [
    { meetings: [first] },
    { meetings: [{ ...first, public_line: 'Gogol' }, second] },
    { days_off: [holiday] },
    { days_off: [holiday, { on_date: '2027-01-25', reason: 'Snow' }] },
  ]) {
    expect(await refusal(await create(other))).toMatchObject({ code: 'idempotency_key_reused' });
  }
  const added = await teacher.client.post(cohortPath(id, 'meetings/'), {
    ...first,
    starts_local: '2027-02-01T18:30',
  });
  expect(added.status).toBe(201);
  const retry = await create({});
  expect(await retry.json()).toMatchObject({ id });
});

test('nothing is created with a session that is refused', async () => {
  const teacher = await createTeacher();
  const wrong = { ...spring, ...schedule, meetings: [first, { ...second, title: ' ' }] };
  const refused = await refusal(await teacher.client.post(teacher.path, wrong));

  expect(refused.fields).toEqual({ meetings: ['Title is required'] });
  for (const table of [cohorts, meetings, daysOff]) {
    expect(await db.$count(table, eq(table.ownerId, teacher.user.id))).toBe(0);
  }
});

test('a session at a time that clocks skip is later, and 201 are too many', async () => {
  const teacher = await createTeacher();
  const skipped = { ...first, starts_local: '2027-03-28T02:30' };
  const long = { ...days, ends_on: '2027-04-30', meetings: [skipped] };
  const { id } = await createCohort(teacher, long);
  const [row] = await db.select().from(meetings).where(eq(meetings.cohortId, id));
  expect(row?.startsLocal).toBe('2027-03-28T03:30');
  const many = { ...spring, meetings: Array.from({ length: 201 }, () => first) };
  const { fields } = await refusal(await teacher.client.post(teacher.path, many));
  expect(fields).toEqual({ meetings: ['A cohort holds 200 live sessions at most'] });
});

test('days off move with their cohort, also to where another one was, and are not copied, because holidays do not move', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, schedule);
  const expected = { ...days, enrollment_opens_local: null, enrollment_closes_local: null };
  const later = { starts_on: '2027-01-11', ends_on: '2027-02-19', time_zone: days.time_zone };
  const moving = { ...later, expected, dry_run: true };
  const plan = await teacher.client.post(cohortPath(cohort.id, 'move/'), moving);
  expect(await plan.json()).toMatchObject({
    days_off: [
      { reason: holiday.reason, before: '2027-01-18', after: '2027-01-25' },
      { before: '2027-01-25', after: '2027-02-01' },
    ],
  });
  const moved = await teacher.client.post(cohortPath(cohort.id, 'move/'), { ...later, expected });
  expect(moved.status, await moved.clone().text()).toBe(200);
  const read = async (id: string) => {
    const response = await teacher.client.get(cohortPath(id, 'schedule/'));
    return (await response.json<ScheduleTable>()).days_off.map(({ on_date }) => on_date);
  };
  expect(await read(cohort.id)).toEqual(['2027-01-25', '2027-02-01']);

  const copying = { name: 'Copy', starts_on: '2027-03-01' };
  const path = cohortPath(cohort.id, 'duplicate/');
  const preview = await teacher.client.post(path, { ...copying, dry_run: true });
  expect(await preview.json()).toMatchObject({ meetings: [{}, {}], days_off: [] });
  const copy = await teacher.client.post(path, copying);
  expect(await read((await copy.json<{ id: string }>()).id)).toEqual([]);
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

test('a session is added a week after the last one, and on the first day without one', () => {
  const rows = [addedRow(''), addedRow('2027-01-18')];
  expect(dayAfter(rows, '2027-01-11')).toBe('2027-01-25');
  expect(dayAfter(rows.slice(0, 1), '2027-01-11')).toBe('2027-01-11');
  expect(dayAfter([], '2027-01-11')).toBe('2027-01-11');
});

test('a session that is added has the time of others on its day of the week', () => {
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
