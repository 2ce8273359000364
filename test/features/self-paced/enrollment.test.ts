import { expect, test } from 'vitest';
import type { OpenRun } from '#features/cohorts/schema.ts';
import { createCourseRow, createSignedInClient, uniqueEmail } from '#support/factories.ts';
import { linkIn, mailsTo } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { ask, enrollBy, participate, refused } from '../places/support.ts';
import { createSelfPaced } from './owner.ts';

const fresh = startFresh();

test('enrollment is opened once, also after it was set up closed, and not in a course of cohorts', async () => {
  const { client, user } = await createSignedInClient();
  const open = async (input: object) => {
    const course = await createCourseRow(user.id);
    const path = `/api/courses/${course.id}/enrollment/`;
    const [first, again] = [await client.post(path, input), await client.post(path, {})];
    expect([first.status, again.status]).toEqual([201, 200]);
    const run = await first.json<OpenRun>();
    const dateless = { kind: 'open', name: course.name, starts_on: null, ends_at: null };
    expect(run).toMatchObject(dateless);
    const { id, enrollment_state } = run;
    expect(await again.json<OpenRun>()).toMatchObject({ id, enrollment_state });
    return run;
  };
  expect((await open({})).enrollment_state).toBe('open');
  const run = await open({ opens: false });
  expect(run).toMatchObject({ enrollment_state: 'closed', enrollment_override: 'closed' });
  const change = { enrollment_override: null };
  const opened = await client.request('PATCH', `/api/cohorts/${run.id}/`, change);
  expect(await opened.json()).toMatchObject({ enrollment_state: 'open', ends_at: null });

  const other = await createCourseRow(user.id, { courseType: 'cohort' });
  const refused = await client.post(`/api/courses/${other.id}/enrollment/`, {});
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'course_is_cohort' });
});

test('with one place, the second person waits, and moves up when the first leaves', async () => {
  const { resend } = fresh;
  const { slug, read, items } = await createSelfPaced({ capacity: 1 });
  const first = await enrollBy(resend, slug);
  expect(first.status).toBe('enrolled');
  expect(await read()).toMatchObject({
    enrollment_state: 'waitlist',
    counts: { enrolled: 1, places_left: 0 },
  });
  const second = await enrollBy(resend, slug);
  expect(second).toMatchObject({ status: 'waitlisted', queue_position: 1 });

  const all = [...(await items()), ...(await items('?status=waitlisted'))];
  const ids = new Map(all.map(({ email, id }) => [email, id]));
  await participate('leave', first.link, ids.get(first.email));
  expect(await read()).toMatchObject({ counts: { enrolled: 0, offered: 1, places_left: 0 } });
  const accepted = await participate('accept', second.link, ids.get(second.email));
  expect(accepted.body).toMatchObject({ status: 'enrolled' });
  // Who has left can come back: here to the waitlist.
  const back = await participate('rejoin', first.link, ids.get(first.email));
  expect(back.body).toMatchObject({ status: 'waitlisted' });
  expect(await read()).toMatchObject({ counts: { enrolled: 1, waitlisted: 1 } });
});

test('people enroll where they are invited', async () => {
  const { resend } = fresh;
  const { slug, post, read } = await createSelfPaced({ join_mode: 'invitation' });
  const { response } = await ask(slug);
  const message = 'This course is by invitation.';
  expect(await response.json()).toMatchObject({ code: 'course_invitation_only', message });
  const email = uniqueEmail();
  const invited = await post('enrollments/', { as: 'invited', name: 'Ada', email });
  expect(invited).toMatchObject({ status: 201, body: { status: 'invited' } });
  const link = linkIn(mailsTo(email, resend.accepted).at(-1));
  const came = await participate('accept', link, invited.body.id);
  expect(came.body).toMatchObject({ status: 'enrolled' });
  expect(await read()).toMatchObject({ counts: { enrolled: 1, invited: 0 } });
});

test('the price is charged, and the account is that of the course', async () => {
  const { resend } = fresh;
  const price = { price_minor: 6_000, currency: 'EUR' };
  const { course, run, slug, items, send, post } = await createSelfPaced(price);
  await enrollBy(resend, slug);
  const [place] = await items();
  const ledger = await send('GET', `/api/courses/${course.id}/payments/`);
  expect(ledger.body).toMatchObject([
    { cohort_id: run.id, cohort_name: 'Grammar', currency: 'EUR', charged_minor: 6_000 },
  ]);
  const payment = { kind: 'payment', method: 'cash', received_on: '2026-11-24' };
  expect((await post('ledger/', { enrollments: [place?.id], ...payment })).status).toBe(201);
  for (const file of ['ledger.csv', `/api/courses/${course.id}/ledger.csv`]) {
    const { body } = await send('GET', file);
    expect(String(body)).toMatch(/60/);
    expect(String(body)).not.toMatch(/cohort|210[01]/i);
  }
  expect(await send('PATCH', '', { currency: 'USD' })).toMatchObject(refused('currency_in_use'));
});
