import { expect, test } from 'vitest';
import { endWaitlists } from '#features/people/sweep.ts';
import { settled } from '#support/background.ts';
import { mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { contextAt, countsOf, start } from './storm.ts';
import { ask, enrollBy, participate, setTime } from './support.ts';
import { createTaught } from './taught.ts';

startFresh();

test('in an archived cohort nothing is decided or sent, and a request can be withdrawn', async () => {
  const { owner, cohort, resend, path, asking } = await createTaught();
  const ana = await enrollBy(resend, cohort.slug, { name: 'Ana' });
  const bob = await enrollBy(resend, cohort.slug, { name: 'Bob' });
  const sent = resend.accepted.length;
  const [first, second] = (await asking()).map(({ id }) => id);
  expect((await owner.post(`/api/cohorts/${cohort.id}/archive/`)).status).toBe(200);
  for (const [address, input] of [
    [`${path}${first}/approve/`, {}],
    [`${path}${first}/accept/`, {}],
    [`${path}approve/`, { enrollments: [first, second] }],
  ] as const) {
    const refused = await owner.post(address, input);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: 'cohort_over' });
  }
  const withdrawn = await participate('leave', bob.link, second);
  expect(withdrawn.body).toMatchObject({ status: 'left', actions: [] });
  await settled();
  expect(await countsOf(cohort)).toEqual({ applied: 1, left: 1 });
  expect(resend.accepted).toHaveLength(sent);

  expect((await owner.post(`/api/cohorts/${cohort.id}/unarchive/`)).status).toBe(200);
  setTime(start + 1);
  const approved = await owner.post(`${path}${first}/approve/`, {});
  expect(await approved.json()).toMatchObject({ status: 'enrolled' });
  await settled();
  expect(mailsTo(ana.email, resend.accepted).at(-1)?.subject).toContain('You are in');
});

test.each([
  ['enrollment is closed by hand', { enrollment_override: 'closed' }, 'enrollment_closed'],
  ['people come by invitation alone', { join_mode: 'invitation' }, 'cohort_invitation_only'],
  ['everyone comes in at once', { join_mode: 'open' }, null],
])('who asked before %s is still decided about', async (_, change, refusal) => {
  const { owner, cohort, resend, path, asking } = await createTaught();
  const ana = await enrollBy(resend, cohort.slug, { name: 'Ana' });
  const changed = await owner.request('PATCH', `/api/cohorts/${cohort.id}/`, change);
  expect(changed.status, await changed.clone().text()).toBe(200);
  const { response } = await ask(cohort.slug);
  expect(await response.json()).toMatchObject(refusal === null ? {} : { code: refusal });
  expect(response.status).toBe(refusal === null ? 202 : 422);

  const [id] = (await asking()).map((one) => one.id);
  setTime(start + 1);
  const approved = await owner.post(`${path}${id}/approve/`, {});
  expect(await approved.json()).toMatchObject({ status: 'enrolled' });
  await settled();
  expect(mailsTo(ana.email, resend.accepted).at(-1)?.subject).toContain('You are in');
});

test.each([
  [true, 1],
  [false, 0],
])(
  'from the trash a request comes back as it was, told of it or not: %s',
  async (notify, mails) => {
    const { owner, cohort, resend, path, asking } = await createTaught();
    const ana = await enrollBy(resend, cohort.slug, { name: 'Ana' });
    const [id] = (await asking()).map((one) => one.id);
    const sent = mailsTo(ana.email, resend.accepted).length;
    const address = `/api/cohorts/${cohort.id}/`;
    expect((await owner.request('DELETE', address, { notify })).status).toBe(204);
    await settled();
    const subjects = mailsTo(ana.email, resend.accepted).map(({ subject }) => subject);
    expect(subjects.slice(sent)).toEqual(
      Array.from({ length: mails }, () => expect.stringContaining('Canceled')),
    );
    const over = await participate('leave', ana.link, id);
    expect(over).toMatchObject({ status: 422, body: { code: 'cohort_over' } });

    expect((await owner.post(`${address}restore/`)).status).toBe(200);
    await settled();
    expect(mailsTo(ana.email, resend.accepted)).toHaveLength(sent + mails);
    setTime(start + 1);
    const approved = await owner.post(`${path}${id}/approve/`, {});
    expect(await approved.json()).toMatchObject({ status: 'enrolled' });
  },
);

test('a request ends with its cohort, by the clock and without an email', async () => {
  const { owner, cohort, resend, path, asking } = await createTaught();
  const ana = await enrollBy(resend, cohort.slug, { name: 'Ana' });
  const [id] = (await asking()).map((one) => one.id);
  const sent = mailsTo(ana.email, resend.accepted).length;
  await endWaitlists(contextAt(cohort.endsAt.getTime() - 1));
  expect(await countsOf(cohort)).toEqual({ applied: 1 });
  await endWaitlists(contextAt(cohort.endsAt.getTime()));
  await settled();
  expect(await countsOf(cohort)).toEqual({ expired: 1 });
  expect(mailsTo(ana.email, resend.accepted)).toHaveLength(sent);
  const { events } = await (await owner.get(`${path}${id}/`)).json<{ events: object[] }>();
  expect(events.at(-1)).toMatchObject({
    actor: 'clock',
    from_status: 'applied',
    to_status: 'expired',
  });
});

test('a cohort in which someone asks is no draft again', async () => {
  const { owner, cohort, resend } = await createTaught();
  await enrollBy(resend, cohort.slug);
  const refused = await owner.post(`/api/cohorts/${cohort.id}/unpublish/`);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'cohort_has_people' });
});
