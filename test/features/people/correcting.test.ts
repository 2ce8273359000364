import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { mailsDue } from '#features/outbox/table.ts';
import { people } from '#features/people/table.ts';
import { blockInvitations } from '#features/unsubscribing/blocked-addresses.ts';
import { settled } from '#support/background.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { createMail } from '../outbox/support.ts';
import { startFresh } from './fresh.ts';
import { start } from './storm.ts';

startFresh();
beforeEach(async () => {
  await db.delete(mailsDue);
});

/** An instructor, someone of theirs, and how they correct the address. */
async function createCorrector() {
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start) });
  const { person } = await createEnrollment(cohort);
  const correct = async (input: object, limits: Record<string, string[]> = {}) => {
    const bindings = { LIMITS: limits };
    const path = `/api/people/${person.id}/`;
    const response = await client.request('PATCH', path, input, { bindings });
    await settled();
    return { status: response.status, body: await response.json<Record<string, unknown>>() };
  };
  const address = async () =>
    (await db.select().from(people).where(eq(people.id, person.id)))[0]?.email;
  return { client, user, cohort, person, correct, address };
}

test('strangers are not emailed without end by correcting an address: each counts as an invitation', async () => {
  const { accepted } = fakeResend();
  const { correct, address } = await createCorrector();
  const limits = { invitations_per_user: ['2/d'] };
  const [first, second, third] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
  expect((await correct({ email: first }, limits)).status).toBe(200);
  // Sending the same address again changes nothing.
  expect((await correct({ email: first }, limits)).status).toBe(200);
  expect((await correct({ email: second }, limits)).status).toBe(200);
  expect((await correct({ email: third, note: 'Sits in front' }, limits)).status).toBe(429);
  expect((await correct({ note: 'Sits in front' }, limits)).status).toBe(200);

  expect(accepted.map(({ to }) => to)).toEqual([first, second]);
  expect(await address()).toBe(second);
});

test('nor are those who want no invitations, nor any while people call the emails spam', async () => {
  const { attempts } = fakeResend();
  const { user, correct, address, person } = await createCorrector();
  const unwilling = uniqueEmail();
  const ctx = contextOn();
  await ask(ctx, {
    blocked: await blockInvitations(ctx, { ownerId: user.id, emailCanonical: unwilling }),
  });
  expect(await correct({ email: unwilling })).toMatchObject({
    status: 422,
    body: { code: 'invitations_unwanted' },
  });
  const now = new Date();
  const toAddress = uniqueEmail();
  await createMail({ ownerId: user.id, toAddress, sentAt: now, complainedAt: now });
  expect(await correct({ email: uniqueEmail() })).toMatchObject({
    status: 422,
    body: { code: 'invitations_paused' },
  });
  expect((await correct({ name: 'Ada Byron' })).status).toBe(200);

  expect(attempts).toEqual([]);
  expect(await address()).toBe(person.email);
});

test('who can remove themselves is who has not agreed at the address that they have now', async () => {
  const { accepted } = fakeResend();
  const { client, cohort, person, correct } = await createCorrector();
  const course = await createCourseRow(cohort.ownerId, { courseType: 'cohort' });
  const enroll = async () => {
    const other = await createCohortRow(course, { publishedAt: new Date(start) });
    const [known] = await db.select().from(people).where(eq(people.id, person.id));
    const input = { as: 'enrolled', name: 'Grace Hopper', email: known?.email };
    const added = await client.post(`/api/cohorts/${other.id}/enrollments/`, input);
    expect(added.status, await added.clone().text()).toBe(201);
    await settled();
    return accepted.findLast(({ subject }) => subject.includes('has enrolled you'))?.text;
  };
  expect(await enroll()).not.toContain('Remove me');
  expect((await correct({ email: uniqueEmail() })).status).toBe(200);
  expect(await enroll()).toContain('Remove me');
});

test('letting in people whom they have invited does not raise an instructor’s limit', async () => {
  const { client, cohort } = await createCorrector();
  const path = `/api/cohorts/${cohort.id}/enrollments/`;
  const bindings = { LIMITS: { invitations_per_user: ['10/d'] } };
  const invite = () => {
    const input = { as: 'invited', name: 'Grace Hopper', email: uniqueEmail() };
    return client.post(path, input, { bindings });
  };
  for (let count = 0; count < 10; count += 1) {
    const invited = await invite();
    const { id } = await invited.json<{ id: string }>();
    expect((await client.post(`${path}${id}/accept/`, {})).status).toBe(200);
  }

  expect((await invite()).status).toBe(429);
});
