import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { drainOutbox } from '#features/outbox/drain-outbox.ts';
import { mailsDue } from '#features/outbox/table.ts';
import { courseInterests } from '#features/people/table.ts';
import { tellInterested } from '#features/people/tell-interested.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { createEnrollment, createSignedInClient, db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { contextAt, countsOf, start } from './storm.ts';
import { ask, confirmPath, enrollBy, participate, setTime } from './support.ts';
import { createTaught } from './taught.ts';

const day = 24 * 60 * 60 * 1000;

startFresh();

test('someone asks, reads that the instructor decides, and comes in by approval', async () => {
  const { owner, cohort, resend, path, asking } = await createTaught();
  const grace = await enrollBy(resend, cohort.slug);
  expect(grace).toMatchObject({ status: 'applied', queue_position: null });
  const [, received] = mailsTo(grace.email, resend.accepted);
  expect(received?.subject).toBe('You have asked for a place in Writing in spring');
  expect(received?.text).toContain('decides who takes part');
  const again = await createClient().request('POST', confirmPath, { token: grace.token });
  expect(await again.json()).toMatchObject({ status: 'applied' });

  const items = await asking();
  const id = items[0]?.id ?? '';
  const approved = await owner.post(`${path}${id}/approve/`, {});
  expect(await approved.json()).toMatchObject({ status: 'enrolled' });
  const twice = await owner.post(`${path}${id}/approve/`, {});
  expect({ status: twice.status, ...(await twice.json<object>()) }).toMatchObject({
    status: 'enrolled',
  });
  await settled();
  expect(mailsTo(grace.email, resend.accepted).map(({ subject }) => subject)).toEqual([
    'Confirm your place in Writing in spring',
    'You have asked for a place in Writing in spring',
    expect.stringContaining('You are in: Writing in spring'),
  ]);
  // Someone who is enrolled is not turned down.
  const late = await owner.post(`${path}${id}/refuse/`, {});
  expect(late.status).toBe(422);
  expect(await late.json()).toMatchObject({
    code: 'enrollment_transition',
    message: 'That is no longer possible: Grace Hopper is now enrolled.',
  });
});

test.each([
  [true, ['No place for you this time: Writing in spring']],
  [false, []],
])('someone turned down is told or not, and cannot come back alone: %s', async (notify, told) => {
  const { owner, cohort, resend, path, asking } = await createTaught();
  const grace = await enrollBy(resend, cohort.slug);
  const items = await asking();
  const id = items[0]?.id ?? '';
  for (const _ of [1, 2]) {
    const refused = await owner.post(`${path}${id}/refuse/`, { notify });
    expect(await refused.json()).toMatchObject({ status: 'refused' });
  }
  await settled();
  const subjects = mailsTo(grace.email, resend.accepted).map(({ subject }) => subject);
  expect(subjects.slice(2)).toEqual(told);

  const rejoined = await participate('rejoin', grace.link, id);
  expect(rejoined).toMatchObject({ status: 422, body: { code: 'enrollment_removed' } });
  setTime(start + 1);
  await ask(cohort.slug, { email: grace.email });
  expect(mailsTo(grace.email, resend.accepted).at(-1)?.subject).toBe(
    'Your request for Writing in spring',
  );
  // Their instructor can add them all the same.
  expect((await owner.post(`${path}${id}/approve/`, {})).status).toBe(422);
  const added = await owner.post(`${path}${id}/accept/`, {});
  expect(await added.json()).toMatchObject({ status: 'enrolled' });
});

test('a request is withdrawn once, and made again', async () => {
  const { cohort, resend, asking } = await createTaught();
  const grace = await enrollBy(resend, cohort.slug);
  const items = await asking();
  const id = items[0]?.id;
  expect((await participate('accept', grace.link, id)).body).toMatchObject({
    code: 'enrollment_transition',
  });
  for (const _ of [1, 2]) {
    const left = await participate('leave', grace.link, id);
    expect(left.body).toMatchObject({ status: 'left', actions: ['rejoin'] });
  }
  for (const _ of [1, 2]) {
    const back = await participate('rejoin', grace.link, id);
    expect(back.body).toMatchObject({ status: 'applied', actions: ['leave'] });
  }
});

test('several are approved or turned down at once, of one cohort and one owner alone', async () => {
  const { owner, cohort, resend, path, asking } = await createTaught({ capacity: 2 });
  const people = [];
  for (const [n, name] of ['Ana', 'Bob', 'Eve', 'Zoe'].entries()) {
    setTime(start + n);
    people.push(await enrollBy(resend, cohort.slug, { name }));
  }
  const items = await asking();
  const [ana, bob, eve, zoe] = items.map(({ id }) => id);
  const stranger = await createSignedInClient();
  for (const act of ['approve', 'refuse']) {
    const input = { enrollments: [ana] };
    expect((await stranger.client.post(`${path}${act}/`, input)).status).toBe(404);
    expect((await stranger.client.post(`${path}${ana}/${act}/`, {})).status).toBe(404);
    expect((await createClient().post(`${path}${act}/`, input)).status).toBe(401);
    expect((await createClient().post(`${path}${ana}/${act}/`, {})).status).toBe(401);
  }
  const input = { enrollments: [ana, bob, eve, 'none'] };
  const approved = await owner.post(`${path}approve/`, input);
  expect(await approved.json()).toEqual({ enrolled: 2, waitlisted: 1 });
  const again = await owner.post(`${path}approve/`, input);
  expect(await again.json()).toEqual({ enrolled: 0, waitlisted: 0 });
  const refused = await owner.post(`${path}refuse/`, { enrollments: [ana, zoe] });
  expect(await refused.json()).toEqual({ refused: 1 });
  await settled();
  expect(mailsTo(people[0]?.email ?? '', resend.accepted).at(-1)?.subject).toContain('You are in');
  expect(mailsTo(people[3]?.email ?? '', resend.accepted).at(-1)?.subject).toContain('No place');
});

test.each([
  ['in the trash', 'deleted_at = 1', 'cohort_in_trash'],
  ['over', `ends_at = ${start}`, 'cohort_over'],
])('no one is approved in a cohort that is %s', async (_, change, code) => {
  const { owner, cohort, resend, path, asking } = await createTaught();
  await enrollBy(resend, cohort.slug);
  const items = await asking();
  const id = items[0]?.id ?? '';
  await env.DB.prepare(`UPDATE cohorts SET ${change} WHERE id = ?`).bind(cohort.id).run();
  for (const [address, input] of [
    [`${path}${id}/approve/`, {}],
    [`${path}approve/`, { enrollments: [id] }],
  ] as const) {
    const refused = await owner.post(address, input);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code });
  }
});

test('a full cohort without a waitlist says so, and takes people over its capacity', async () => {
  const { owner, cohort, resend, path, asking } = await createTaught({
    capacity: 1,
    waitlist: false,
  });
  await enrollBy(resend, cohort.slug, { name: 'Ana' });
  await enrollBy(resend, cohort.slug, { name: 'Bob' });
  const items = await asking();
  const [ana, bob] = items.map(({ id }) => id);
  await owner.post(`${path}${ana}/approve/`, {});
  const full = await owner.post(`${path}${bob}/approve/`, {});
  expect(await full.json()).toMatchObject({ code: 'cohort_full' });
  const over = await owner.post(`${path}${bob}/approve/`, { over_capacity: true });
  expect(await over.json()).toMatchObject({ status: 'enrolled', over_capacity: true });
});

test('people who ask are told when the cohort moves, and when it is canceled', async () => {
  const { owner, cohort, resend } = await createTaught();
  const grace = await enrollBy(resend, cohort.slug);
  const before = { starts_on: cohort.startsOn, ends_on: cohort.endsOn, time_zone: cohort.timeZone };
  const moved = await owner.post(`/api/cohorts/${cohort.id}/move/`, {
    ...before,
    ends_on: '2027-03-01',
    expected: { ...before, enrollment_opens_local: null, enrollment_closes_local: null },
  });
  expect(moved.status).toBe(200);
  await settled();
  expect(mailsTo(grace.email, resend.accepted).at(-1)?.subject).toContain('New dates');
  await owner.request('DELETE', `/api/cohorts/${cohort.id}/`);
  await settled();
  expect(mailsTo(grace.email, resend.accepted).at(-1)?.subject).toContain('Canceled');
});

test('someone who was turned down does not come back by being erased', async () => {
  const { owner, cohort, resend, path, asking } = await createTaught();
  const grace = await enrollBy(resend, cohort.slug);
  const items = await asking();
  await owner.post(`${path}refuse/`, { enrollments: [items[0]?.id], notify: false });
  const personId = items[0]?.person_id ?? '';
  expect((await owner.request('DELETE', `/api/people/${personId}/`)).status).toBe(204);
  setTime(start + 1);
  await ask(cohort.slug, { email: grace.email });
  expect(mailsTo(grace.email, resend.accepted).at(-1)?.subject).toBe(
    'Your request for Writing in spring',
  );
  expect(await countsOf(cohort)).toEqual({});
});

test('people who wait for enrollment to open get an email as soon as people can ask for a place', async () => {
  const { user, course, cohort, resend } = await createTaught({ capacity: 1, waitlist: false });
  // Full, so that only the approval lets anyone ask.
  await createEnrollment(cohort);
  // Other tests leave theirs.
  await db.delete(mailsDue);
  await db.delete(courseInterests);
  await db.insert(courseInterests).values({
    id: crypto.randomUUID(),
    ownerId: user.id,
    courseId: course.id,
    email: 'waits@example.com',
    emailCanonical: 'waits@example.com',
    language: 'en',
    consentVersion: 1,
    createdAt: new Date(start),
    confirmedAt: new Date(start),
    expiresAt: new Date(start + day),
  });
  await tellInterested(contextAt(start));
  await drainOutbox(contextAt(start), null);
  expect(mailsTo('waits@example.com', resend.accepted)).toHaveLength(1);
});
