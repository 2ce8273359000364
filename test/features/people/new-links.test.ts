import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { drainOutbox } from '#features/outbox/drain-outbox.ts';
import { mailsDue } from '#features/outbox/table.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { beforeWriting } from '#support/database.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, linkIn, mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { call, expectRefusal, linkFor, tokenFor } from './rights.ts';
import { contextAt, createPublished, start } from './storm.ts';
import { participate, setTime } from './support.ts';

const [minute, day] = [60 * 1000, 24 * 60 * 60 * 1000];

startFresh();

test('someone ends all their links by the one to their data, and gets a new one by email', async () => {
  const { accepted } = fakeResend();
  const { id, person } = await createEnrollment(await createPublished());
  const [old, token] = [await linkFor(person), await tokenFor('data', person)];
  expect((await call('renew-link', { token })).status).toBe(204);

  const [mail, ...others] = mailsTo(person.email, accepted);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Your new link');
  expect(await participate('leave', old, id)).toMatchObject({ status: 400 });
  for (const path of ['data', 'erase', 'renew-link']) {
    await expectRefusal(await call(path, { token }), 400, 'rights_link_invalid');
  }
  expect(await participate('leave', linkIn(mail), id)).toMatchObject({
    status: 200,
    body: { status: 'left' },
  });
});

test('asked twice at once, one new link is sent', async () => {
  const { accepted } = fakeResend();
  const { person } = await createEnrollment(await createPublished());
  const token = await tokenFor('data', person);
  const renew = (bindings = {}) =>
    createClient().request('POST', '/api/participation/renew-link/', { token }, { bindings });
  const DB = beforeWriting(async () => {
    setTime(start + minute);
    expect((await renew()).status).toBe(204);
  });
  const late = await renew({ DB });
  await settled();
  await expectRefusal(late, 400, 'rights_link_invalid');

  expect(mailsTo(person.email, accepted)).toHaveLength(1);
});

test('a link that only opens a page, removes or is over makes no new one', async () => {
  const { accepted } = fakeResend();
  const { person } = await createEnrollment(await createPublished());
  const over = await tokenFor('data', person, 0);
  for (const token of [await linkFor(person), await tokenFor('remove', person), over]) {
    await expectRefusal(await call('renew-link', { token }), 400, 'rights_link_invalid');
  }

  expect(accepted).toEqual([]);
});

test('an email that was written before has the new link, made by the instructor or by the person', async () => {
  const { accepted } = fakeResend();
  const { client: owner, user } = await createSignedInClient();
  await owner.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start) });
  const input = { as: 'invited', name: 'Grace Hopper', email: uniqueEmail() };
  const invited = await owner.post(`/api/cohorts/${cohort.id}/enrollments/`, input);
  const { id, person } = await invited.json<{ id: string; person: { id: string } }>();
  await settled();
  setTime(start + minute);
  expect((await owner.post(`/api/people/${person.id}/link/`)).status).toBe(204);
  await settled();
  setTime(start + 2 * minute);
  const token = await tokenFor('data', { id: person.id, linkVersion: 2 });
  expect((await call('renew-link', { token })).status).toBe(204);

  const isReminder = and(eq(mailsDue.enrollmentId, id), eq(mailsDue.kind, 'invitation_reminder'));
  const [reminder] = await db.select().from(mailsDue).where(isReminder);
  setTime(start + 12 * day);
  await drainOutbox(contextAt(start + 12 * day), [reminder?.id ?? '']);
  const mails = mailsTo(input.email, accepted);
  expect(mails).toHaveLength(4);
  expect(mails.at(-1)?.subject).toContain('Your invitation expires');
  const accepting = await participate('accept', linkIn(mails.at(-1)), id);
  expect(accepting).toMatchObject({ status: 200, body: { status: 'enrolled' } });
});

test('an owner sends an address three links a day, also if its person is erased and added again', async () => {
  const { accepted } = fakeResend();
  const email = uniqueEmail();
  const createOwner = async () => {
    const { client, user } = await createSignedInClient();
    await client.get('/api/health/');
    const course = await createCourseRow(user.id, { courseType: 'cohort' });
    const cohort = await createCohortRow(course, { publishedAt: new Date(start) });
    const add = async () => {
      const input = { as: 'enrolled', name: 'Grace Hopper', email };
      const added = await client.post(`/api/cohorts/${cohort.id}/enrollments/`, input);
      expect(added.status, await added.clone().text()).toBe(201);
      const { person } = await added.json<{ person: { id: string } }>();
      return `/api/people/${person.id}/`;
    };
    return { client, add };
  };
  const [{ client, add }, other] = [await createOwner(), await createOwner()];
  const first = await add();
  for (let n = 0; n < 3; n += 1) {
    setTime(start + n * minute);
    expect((await client.post(`${first}link/`)).status).toBe(204);
  }
  expect((await client.request('DELETE', first)).status).toBe(204);
  const again = await add();
  expect((await client.post(`${again}link/`)).status).toBe(429);
  expect((await other.client.post(`${await other.add()}link/`)).status).toBe(204);
  await settled();
  const links = mailsTo(email, accepted).filter(({ subject }) => subject === 'Your new link');
  expect(links).toHaveLength(4);
});
