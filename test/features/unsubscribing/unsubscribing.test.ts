import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { blockedAddresses, enrollments, people } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import { sealLink } from '#lib/signed-links.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { brokenDatabase } from '#support/database.ts';
import { day } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, mailsTo } from '#support/resend.ts';
import { sawSecret } from '#support/secrets.ts';
import { start } from '../places/storm.ts';
import { setTime } from '../places/support.ts';

const path = '/api/mail/unsubscribe/';

beforeEach(() => setTime(start));
/** Someone invited by an instructor, with what their mail program was given. */
async function createInvited(email = uniqueEmail()) {
  const { accepted } = fakeResend();
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start) });
  const invite = async (values: object = {}) => {
    const input = { as: 'invited', name: 'Grace Hopper', email, ...values };
    const response = await client.post(`/api/cohorts/${cohort.id}/enrollments/`, input);
    await settled();
    return response;
  };
  expect((await invite()).status).toBe(201);
  const [mail] = mailsTo(email, accepted);
  const address = /^<https:\/\/lectern\.test(.+)>$/.exec(mail?.headers?.['List-Unsubscribe'] ?? '');
  sawSecret(address?.[1]?.split('.')[2] ?? '');
  return { accepted, client, user, cohort, email, invite, mail, address: address?.[1] ?? '' };
}

/** The request of a mail program: a form, from anywhere, without cookies. */
function oneClick(address: string, raw = 'List-Unsubscribe=One-Click', type?: string) {
  return createClient().request('POST', address, undefined, {
    raw,
    headers: {
      Origin: '',
      Cookie: '',
      'Sec-Fetch-Site': '',
      'Content-Type': type ?? 'application/x-www-form-urlencoded',
    },
  });
}

async function standingOf(email: string) {
  const [person] = await db.select().from(people).where(eq(people.email, email));
  const rows = await db
    .select()
    .from(enrollments)
    .where(eq(enrollments.personId, person?.id ?? ''));
  return { person, statuses: rows.map(({ status }) => status) };
}

function blockedFor(ownerId: string) {
  return db.select().from(blockedAddresses).where(eq(blockedAddresses.ownerId, ownerId));
}

test('an invitation says to mail programs and to readers how it ends', async () => {
  const { mail, address } = await createInvited();

  expect(mail?.headers).toEqual({
    'List-Unsubscribe': expect.stringMatching(
      /^<https:\/\/lectern\.test\/api\/mail\/unsubscribe\/\?u=invitation\.[0-9a-f-]{36}\.[0-9a-f]{64}>$/,
    ),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  const page = `https://lectern.test/p/unsubscribe?u=${address.split('=')[1]}`;
  expect(mail?.text).toContain(`No more invitations from Anna Martin\n${page}`);
  expect(mail?.html).toContain(`href="${page}"`);
});

test.each([
  ['a form', undefined],
  ['a form in parts', 'multipart/form-data; boundary=b'],
  ['no body at all', ''],
])('one click with %s declines the invitation, and stays so', async (_what, type) => {
  const { address, email, invite, accepted } = await createInvited();
  const answer = await oneClick(address, type === '' ? '' : undefined, type);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Set-Cookie')).toBeNull();
  expect(await standingOf(email)).toMatchObject({
    person: { noInvitationsAt: new Date(start) },
    statuses: ['declined'],
  });
  const again = await invite();
  expect(again.status).toBe(422);
  expect(await again.json()).toMatchObject({ code: 'invitations_unwanted' });
  expect((await invite({ email: email.toUpperCase() })).status).toBe(422);
  expect(mailsTo(email, accepted)).toHaveLength(1);
  // At their request, because their instructor still knows them.
  expect((await invite({ as: 'enrolled' })).status).toBe(201);
});

test.each([
  ['works', '', {}, ''],
  ['is not ours', '0', {}, '&failed=1'],
  ['meets a database that is down', '', { DB: brokenDatabase() }, '&failed=1'],
])(
  'the form of the page leads back to the page when its link %s',
  async (_what, more, bindings, failed) => {
    const { address } = await createInvited();
    const token = `${address.split('=')[1]}${more}`;
    const answer = await createClient().request('POST', `${path}?u=${token}`, undefined, {
      raw: 'page=1',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      bindings,
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(`/p/unsubscribe?u=${token}${failed}`);
    expect(takeNoise()).toHaveLength('DB' in bindings ? 1 : 0);
  },
);

test('a second click changes nothing, and someone else may still invite them', async () => {
  const { address, email } = await createInvited();
  await oneClick(address);
  setTime(start + day);
  expect((await oneClick(address)).status).toBe(200);

  expect((await standingOf(email)).person?.noInvitationsAt).toEqual(new Date(start));
  expect(loggedEvents('subscription_changed')).toHaveLength(1);
  await createInvited(email);
});

test.each(['GET', 'HEAD'])('a %s, as of a scanner, only leads to the page', async (method) => {
  const { address, email } = await createInvited();
  const answer = await createClient().request(method, address);

  expect(answer.status).toBe(302);
  expect(answer.headers.get('Location')).toBe(`/p/unsubscribe?u=${address.split('=')[1]}`);
  expect(await standingOf(email)).toMatchObject({
    person: { noInvitationsAt: null },
    statuses: ['invited'],
  });
});

test('a forged link, that of another kind and that of someone else change nothing', async () => {
  const { address, email, user } = await createInvited();
  const { address: others } = await createInvited();
  const [, id = '', mac = ''] = address.split('.');
  const [, otherId = ''] = others.split('.');
  const forged = [
    `invitation.${id}.${mac.replace(/^./, (first) => (first === '0' ? '1' : '0'))}`,
    `invitation.${otherId}.${mac}`,
    `news.${id}.${mac}`,
    `news.${user.id}.${mac}`,
    `reminders.${id}.${mac}`,
    `invitation.${id}.${mac}.1`,
    '',
  ];
  for (const u of forged) {
    const answer = await oneClick(`${path}?u=${encodeURIComponent(u)}`);
    expect(answer.status, u).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'unsubscribe_link_invalid' });
  }
  expect((await oneClick(path)).status).toBe(400);

  expect((await standingOf(email)).statuses).toEqual(['invited']);
  expect(await blockedFor(user.id)).toEqual([]);
});

test('the oldest email works when the links to one’s page have ended, and after an erasure', async () => {
  const { address, email } = await createInvited();
  await db.update(people).set({ linkVersion: 9 }).where(eq(people.email, email));
  expect((await oneClick(address)).status).toBe(200);
  expect((await standingOf(email)).statuses).toEqual(['declined']);
  await db.delete(people).where(eq(people.email, email));

  expect((await oneClick(address)).status).toBe(200);
});

test('a place stays, with all that is about it', async () => {
  const { address, email, user } = await createInvited();
  const { person: { id: personId = '' } = {} } = await standingOf(email);
  await db
    .update(enrollments)
    .set({ status: 'enrolled', expiresAt: null })
    .where(eq(enrollments.personId, personId));
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const other = await createCohortRow(course, { publishedAt: new Date(start) });
  const expiresAt = new Date(start + day);
  await createEnrollment(other, { personId, status: 'invited', expiresAt });
  await oneClick(address);

  expect((await standingOf(email)).statuses.toSorted()).toEqual(['declined', 'enrolled']);
});

test('the page’s button ends it and lets it come again, only from our pages', async () => {
  const { address, email, invite, user } = await createInvited();
  const link = address.split('=')[1] ?? '';
  const client = createClient();
  const change = (is_on: boolean, options = {}) =>
    client.request('POST', '/api/mail/subscription/', { link, is_on }, options);
  expect((await change(false, { headers: { Origin: 'https://evil.test' } })).status).toBe(403);
  expect(await (await change(false)).json()).toEqual({ is_on: false });
  expect((await invite()).status).toBe(422);
  expect(await (await change(true)).json()).toEqual({ is_on: true });

  expect((await standingOf(email)).statuses).toEqual(['declined']);
  expect(await blockedFor(user.id)).toEqual([]);
  expect((await invite()).status).toBe(201);
});

test('one click ends the daily news, and nothing else of the account', async () => {
  const { client, user } = await createSignedInClient();
  const token = await sealLink(contextOn(), 'news', { id: user.id });
  sawSecret(token.split('.')[2] ?? '');
  expect((await oneClick(`${path}?u=${token}`)).status).toBe(200);

  const account = await client.get(`/api/accounts/${user.id}/`);
  expect(await account.json()).toMatchObject({ roster_news: false });
  const [row] = await db.select().from(users).where(eq(users.id, user.id));
  expect(row).toMatchObject({ email: user.email, emailVerifiedAt: expect.any(Date) });
});
