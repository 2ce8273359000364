import { expect, test } from 'vitest';
import { endWaitlists } from '#features/places/sweep.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { mailsTo } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, countsOf, start } from '../places/storm.ts';
import {
  ask,
  confirmPath,
  createTaught,
  enrollBy,
  participate,
  refused,
  setTime,
} from '../places/support.ts';

startFresh();

/** An instructor whom Grace Hopper has asked for a place, and what concerns her request. */
async function createAsking(values: Parameters<typeof createTaught>[0] = {}) {
  const owner = await createTaught(values);
  const grace = await enrollBy(owner.resend, owner.cohort.slug);
  const [{ id = '' } = {}] = await owner.asking();
  return {
    ...owner,
    grace,
    id,
    decide: (what: 'approve' | 'refuse' | 'accept', input = {}) =>
      owner.post(`enrollments/${id}/${what}/`, input),
    act: (action: string) => participate(action, grace.link, id),
    subjects: () => mailsTo(grace.email, owner.resend.accepted).map(({ subject }) => subject),
  };
}

const enrolled = { status: 200, body: { status: 'enrolled' } };

test('someone asks, reads that the instructor decides, and comes in by approval', async () => {
  const { decide, resend, grace, subjects } = await createAsking();
  expect(grace).toMatchObject({ status: 'applied', queue_position: null });
  const [, received] = mailsTo(grace.email, resend.accepted);
  expect(received?.text).toContain('decides who takes part');
  const again = await createClient().request('POST', confirmPath, { token: grace.token });
  expect(await again.json()).toMatchObject({ status: 'applied' });

  expect(await decide('approve')).toMatchObject(enrolled);
  expect(await decide('approve')).toMatchObject(enrolled);
  expect(subjects()).toEqual([
    'Confirm your place in Writing',
    'You asked for a place in Writing',
    expect.stringContaining('You’re in: Writing'),
  ]);
  // Someone who is enrolled is not turned down.
  const message = 'That is no longer possible: Grace Hopper is now enrolled.';
  const body = { code: 'enrollment_transition', message };
  expect(await decide('refuse')).toMatchObject({ status: 422, body });
});

test.each([
  [true, ['No place for you this time: Writing']],
  [false, []],
])('someone turned down is told or not, and cannot come back alone: %s', async (notify, told) => {
  const { cohort, decide, act, grace, subjects } = await createAsking();
  for (const _ of [1, 2]) {
    expect(await decide('refuse', { notify })).toMatchObject({ body: { status: 'refused' } });
  }
  expect(subjects().slice(2)).toEqual(told);

  expect(await act('rejoin')).toMatchObject(refused('enrollment_removed'));
  setTime(start + 1);
  await ask(cohort.slug, { email: grace.email });
  expect(subjects().at(-1)).toBe('Your request for Writing');
  // Their instructor can add them all the same.
  expect(await decide('approve')).toMatchObject({ status: 422 });
  expect(await decide('accept')).toMatchObject(enrolled);
});

test('a request is withdrawn once, and made again', async () => {
  const { act } = await createAsking();
  expect(await act('accept')).toMatchObject(refused('enrollment_transition'));
  for (const [action, status, next] of [
    ['leave', 'left', 'rejoin'],
    ['rejoin', 'applied', 'leave'],
  ] as const) {
    for (const _ of [1, 2]) {
      expect(await act(action)).toMatchObject({ body: { status, actions: [next] } });
    }
  }
});

test('several are approved or turned down at once: those who asked first get the places, and the others wait', async () => {
  const { cohort, post, resend, asking } = await createTaught({ capacity: 2 });
  const people = [];
  for (const [n, name] of ['Zoe', 'Eve', 'Bob', 'Ana'].entries()) {
    setTime(start + n);
    people.push(await enrollBy(resend, cohort.slug, { name }));
  }
  // By name: the last to ask is the first.
  const [ana, bob, eve, zoe] = (await asking()).map(({ id }) => id);
  const approve = () => post('enrollments/approve/', { enrollments: [bob, eve, zoe, 'none'] });
  expect((await approve()).body).toEqual({ enrolled: 2, offered: 0, waitlisted: 1 });
  expect((await approve()).body).toEqual({ enrolled: 0, offered: 0, waitlisted: 0 });
  const turnedDown = await post('enrollments/refuse/', { enrollments: [ana, zoe] });
  expect(turnedDown.body).toEqual({ refused: 1 });
  const last = people.map(({ email }) => mailsTo(email, resend.accepted).at(-1)?.subject);
  expect(last).toEqual([
    expect.stringContaining('You’re in'),
    expect.stringContaining('You’re in'),
    expect.stringContaining('You’re number 1 on the waitlist'),
    expect.stringContaining('No place'),
  ]);
});

test('a full cohort without a waitlist says so, and takes people over its capacity', async () => {
  const full = await createTaught({ capacity: 1, waitlist: false });
  await enrollBy(full.resend, full.cohort.slug, { name: 'Ana' });
  await enrollBy(full.resend, full.cohort.slug, { name: 'Bob' });
  const [ana, bob] = (await full.asking()).map(({ id }) => `enrollments/${id}/approve/`);
  await full.post(ana ?? '');
  expect(await full.post(bob ?? '')).toMatchObject(refused('cohort_full'));
  const over = { over_capacity: true };
  expect((await full.post(bob ?? '', over)).body).toMatchObject({ status: 'enrolled', ...over });
});

test('in an archived cohort a request can be withdrawn, and nothing is sent', async () => {
  const { cohort, post, resend, asking, decide } = await createAsking();
  const zoe = await enrollBy(resend, cohort.slug, { name: 'Zoe' });
  const sent = resend.accepted.length;
  expect((await post('archive/')).status).toBe(200);
  expect(await decide('accept')).toMatchObject(refused('cohort_over'));
  const withdrawn = await participate('leave', zoe.link, (await asking())[1]?.id);
  expect(withdrawn.body).toMatchObject({ status: 'left', actions: [] });
  expect(resend.accepted).toHaveLength(sent);

  expect((await post('unarchive/')).status).toBe(200);
  expect(await decide('approve')).toMatchObject(enrolled);
});

test.each([
  ['enrollment is closed by hand', { enrollment_override: 'closed' }, 'enrollment_closed'],
  ['people come by invitation alone', { join_mode: 'invitation' }, 'cohort_invitation_only'],
  ['everyone comes in at once', { join_mode: 'open' }, null],
])('people who asked before %s are still decided about', async (_, change, refusal) => {
  const { cohort, decide, send, subjects } = await createAsking();
  expect((await send('PATCH', '', change)).status).toBe(200);
  const { response } = await ask(cohort.slug);
  expect(response.status).toBe(refusal === null ? 202 : 422);
  expect(await response.json()).toMatchObject(refusal === null ? {} : { code: refusal });
  setTime(start + 1);
  expect(await decide('approve')).toMatchObject(enrolled);
  expect(subjects().at(-1)).toContain('You’re in');
});

test('from the trash a request comes back as it was', async () => {
  const { act, decide, post, send, subjects } = await createAsking();
  const sent = subjects().length;
  expect((await send('DELETE', '', { notify: false })).status).toBe(204);
  expect(await act('leave')).toMatchObject(refused('cohort_over'));

  expect((await post('restore/')).status).toBe(200);
  expect(subjects()).toHaveLength(sent);
  expect(await decide('approve')).toMatchObject(enrolled);
});

test('a request ends with its cohort, by the clock and without an email; until then, the cohort cannot become a draft again', async () => {
  const { cohort, id, post, read, subjects } = await createAsking();
  expect(await post('unpublish/')).toMatchObject(refused('cohort_has_people'));
  const sent = subjects().length;
  await endWaitlists(contextAt(cohort.endsAt.getTime() - 1));
  expect(await countsOf(cohort)).toEqual({ applied: 1 });
  await endWaitlists(contextAt(cohort.endsAt.getTime()));
  await settled();
  expect(await countsOf(cohort)).toEqual({ expired: 1 });
  expect(subjects()).toHaveLength(sent);
  const { events } = await read<{ events: object[] }>(`enrollments/${id}/`);
  const last = { actor: 'clock', from_status: 'applied', to_status: 'expired' };
  expect(events.at(-1)).toMatchObject(last);
});
