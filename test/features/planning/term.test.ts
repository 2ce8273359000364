import { expect, test } from 'vitest';
import type { CohortAttendance } from '#features/attendance/schema.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import type { Balance, BalancePage } from '#features/ledger/schema.ts';
import type { Meeting } from '#features/meetings/schema.ts';
import { mailsTo } from '#support/resend.ts';
import { drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { createOwner, enrollBy, setTime } from '../places/support.ts';

const fresh = startFresh();

const mondays = ['2027-01-11', '2027-01-25', '2027-02-01'];
const term = {
  name: 'Winter 2027',
  starts_on: '2027-01-11',
  ends_on: '2027-02-01',
  time_zone: 'America/New_York',
  capacity: 15,
  price_minor: 85_000,
  currency: 'USD',
  early_price_minor: 79_000,
  early_until_local: '2026-12-18',
  meetings: mondays.map((day, index) => ({
    title: `Story ${index + 1}`,
    starts_local: `${day}T18:30`,
    duration_minutes: 150,
  })),
  days_off: [{ on_date: '2027-01-18', reason: 'Martin Luther King Jr. Day' }],
};

test('a term: early and late payers, a dropout, a moved session, attendance, certificates, and an account that adds up', async () => {
  const { client, course, post, send } = await createOwner({}, 'The Short Story');
  setTime(new Date('2026-12-01T15:00:00Z'));
  const created = await client.post(`/api/courses/${course.id}/cohorts/`, term);
  expect(created.status).toBe(201);
  const { id, public_url: url } = await created.json<Cohort>();
  const base = `/api/cohorts/${id}/`;
  const read = async <Body>(path: string) => (await client.get(base + path)).json<Body>();
  expect((await post(`${base}publish/`)).status).toBe(200);
  const slug = url.split('/').at(-1) ?? '';
  const early = await enrollBy(fresh.resend, slug, { name: 'Ada Early' });
  setTime(new Date('2026-12-19T05:00:00Z'));
  const late = await enrollBy(fresh.resend, slug, { name: 'Bea Late' });
  const leaver = await enrollBy(fresh.resend, slug, { name: 'Cleo Leaver' });
  const balances = async (): Promise<Record<string, Balance>> => {
    const { items } = await read<BalancePage>('ledger/');
    return Object.fromEntries(items.map((item) => [item.name?.split(' ')[0] ?? '', item]));
  };
  const { Ada, Bea, Cleo } = await balances();
  expect([Ada, Bea, Cleo].map((of) => of?.balance_minor)).toEqual([79_000, 85_000, 85_000]);
  const pay = (who: typeof Ada, amount_minor: number) =>
    post(`${base}ledger/`, {
      kind: 'payment',
      enrollments: [who?.id],
      amount_minor,
      method: 'check',
      received_on: '2026-12-20',
    });
  expect((await pay(Ada, 79_000)).status).toBe(201);
  expect((await pay(Cleo, 40_000)).status).toBe(201);

  // The first evening; then the last session moves, and everyone is told.
  const { meetings } = await read<CohortAttendance>('attendance/');
  const [first, second, third] = meetings.map((meeting) => meeting.id);
  const mark = (meeting: string | undefined, marks: [typeof Ada, boolean][]) =>
    send('PUT', `${base}meetings/${meeting}/marks/`, {
      marks: marks.map(([who, is_present]) => ({ enrollment_id: who?.id, is_present })),
    });
  setTime(new Date('2027-01-12T00:00:00Z'));
  await mark(first, [
    [Ada, true],
    [Bea, true],
    [Cleo, true],
  ]);
  const moved = { starts_local: '2027-01-27T18:30' };
  expect((await send('PATCH', `${base}meetings/${second}/`, moved)).status).toBe(200);
  expect((await post(`${base}announcements/`, {})).status).toBe(202);
  setTime(new Date('2027-01-12T00:10:00Z'));
  await drainByClock();
  const change = mailsTo(late.email, fresh.resend.accepted).at(-1);
  expect(change?.subject).toContain('The Short Story');
  expect(change?.text).toMatch(/January 27.*January 25/s);

  // Cleo drops out and gets the money back; what is open is waived.
  const left = await post(`${base}enrollments/${Cleo?.id}/left/`, {
    note: 'A new job',
    money: 'refund',
    balance_minor: 45_000,
    paid_minor: 40_000,
  });
  expect(left.status).toBe(200);
  setTime(new Date('2027-01-28T01:00:00Z'));
  await mark(second, [
    [Ada, true],
    [Bea, false],
  ]);
  setTime(new Date('2027-02-02T01:00:00Z'));
  await mark(third, [
    [Ada, true],
    [Bea, true],
  ]);
  setTime(new Date('2027-02-02T06:00:00Z'));
  expect((await post(`${base}completions/`, { at_least: 3 })).body).toMatchObject({ completed: 1 });
  // Two weeks after the end, the late payer pays.
  setTime(new Date('2027-02-15T15:00:00Z'));
  await pay(Bea, 85_000);
  await drainByClock();
  const certificates = (of: { email: string }) =>
    mailsTo(of.email, fresh.resend.accepted).filter(({ subject }) => /complet/i.test(subject));
  expect([early, late, leaver].map((of) => certificates(of).length)).toEqual([1, 0, 0]);

  const after = await balances();
  expect(Object.values(after).map(({ name, balance_minor }) => [name, balance_minor])).toEqual([
    ['Ada Early', 0],
    ['Bea Late', 0],
    ['Cleo Leaver', 0],
  ]);
  const paid = Object.values(after).map((of) => of.paid_minor - of.refunded_minor);
  expect(paid).toEqual([79_000, 85_000, 0]);
  expect((await read<Meeting[]>('meetings/')).map(({ title }) => title)).toHaveLength(3);
});
