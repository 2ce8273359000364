import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { suppressedAddresses, webhookDeliveries } from '#db/schema/suppression.ts';
import { answerOf, refusal } from '#support/answers.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { whileFailing } from '#support/database.ts';
import { day, minute } from '#support/days.ts';
import { createUser, db, uniqueEmail } from '#support/factories.ts';
import { everything, userRow } from '#support/rows.ts';
import {
  bounced,
  complained,
  deliver,
  delivered,
  signedHeaders,
  suppressed,
} from '#support/webhook.ts';

const otherSecret = `whsec_${btoa('another-secret-altogether')}`;

test('a permanent bounce suppresses the address, and the log names the user’s id', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const user = await createUser();
  const before = await userRow(user.id);
  const response = await deliver(bounced(user.email.toUpperCase()));

  expect(await answerOf(response)).toEqual({ status: 200, body: null });
  expect(await markOf(user.email)).toEqual({
    emailCanonical: user.emailCanonical,
    reason: 'bounced',
    since: new Date(),
  });
  expect(await userRow(user.id)).toEqual(before);
  expect(loggedEvents()).toEqual([
    {
      event: 'address_undeliverable',
      request_id: response.headers.get('X-Request-Id'),
      user_id: user.id,
      reason: 'bounced',
    },
  ]);
});

test.each([
  ['a bounce of an address without an account', bounced, 'bounced'],
  ['a complaint', complained, 'complained'],
  ['an email that Resend suppressed', suppressed, 'bounced'],
] as const)('%s suppresses the address', async (_what, event, reason) => {
  const email = uniqueEmail();

  expect((await deliver(event(email))).status).toBe(200);
  expect(await reasonOf(email)).toBe(reason);
  expect(loggedEvents('address_undeliverable')).toMatchObject([{ user_id: null }]);
});

test('an email that is not ours, or does not go to one address alone, suppresses no address', async () => {
  const email = uniqueEmail();
  for (const event of [
    withData(bounced(email), { from: 'News <news@lectern.test>' }),
    withData(bounced(email), { from: 'hello@lectern.test.evil.example' }),
    bounced([email, uniqueEmail()]),
    bounced([]),
  ]) {
    expect((await deliver(event)).status).toBe(200);
    expect(await reasonOf(email)).toBeNull();
  }
});

function withData(event: { data: object }, data: object) {
  return { ...event, data: { ...event.data, ...data } };
}

test.each([
  ['a temporary bounce', (to: string) => bounced(to, 'Transient')],
  ['a delivered email', delivered],
  ['an event of another type', () => ({ type: 'contact.created', data: { email: 'a@b.example' } })],
  ['an unknown event', () => ({ type: '__proto__' })],
])('%s is accepted and changes nothing', async (_what, event) => {
  const email = uniqueEmail();
  const deliveries = await db.$count(webhookDeliveries);
  const before = await everything();

  expect((await deliver(event(email))).status).toBe(200);
  expect(await everything()).toEqual(before);
  expect(await db.$count(webhookDeliveries)).toBe(deliveries);
});

test('a second bounce keeps the time of the first; a complaint replaces a bounce, and no bounce replaces a complaint', async () => {
  const first = new Date();
  vi.useFakeTimers({ toFake: ['Date'], now: first });
  const email = uniqueEmail();
  await deliver(bounced(email));
  vi.setSystemTime(first.getTime() + day);
  await deliver(bounced(email));
  expect((await markOf(email))?.since).toEqual(first);

  await deliver(complained(email));
  const mark = await markOf(email);
  await deliver(bounced(email));
  await deliver(suppressed(email));
  expect(mark?.reason).toBe('complained');
  expect(await markOf(email)).toEqual(mark);
  expect(loggedEvents('address_undeliverable')).toMatchObject([
    { reason: 'bounced' },
    { reason: 'complained' },
  ]);
});

const text = (event: unknown) => JSON.stringify(event);

type Tampering = NonNullable<Parameters<typeof deliver>[1]>;

/** Signs it, and then changes the version of the signature. */
function withOtherVersion(event: unknown): Tampering {
  const id = 'msg_v2';
  const signed = signedHeaders(text(event), { id });
  return { id, headers: { 'svix-signature': signed['svix-signature'].replace('v1,', 'v2,') } };
}

const withHeader = (name: string, value: string) => () => ({ headers: { [name]: value } });
const inOneMinute = `${Math.floor((Date.now() + minute) / 1000)}`;

test.each<[what: string, tamper: (event: unknown) => Tampering]>([
  ['with an extra space', (event) => ({ raw: `${text(event)} ` })],
  ['signed more than 5 minutes ago', () => ({ at: new Date(Date.now() - 5 * minute - 2_000) })],
  ['signed more than 5 minutes ahead', () => ({ at: new Date(Date.now() + 5 * minute + 2_000) })],
  ['signed with another secret', () => ({ secret: otherSecret })],
  ['with the id of another event', withHeader('svix-id', 'msg_another')],
  ['with the time of another event', withHeader('svix-timestamp', inOneMinute)],
  ['without an id', withHeader('svix-id', '')],
  ['without a time', withHeader('svix-timestamp', '')],
  ['with an invalid time', withHeader('svix-timestamp', 'now')],
  ['without a signature', withHeader('svix-signature', '')],
  ['with a signature of another version', withOtherVersion],
])('an event %s is refused, and nothing changes', async (_what, tampered) => {
  const event = bounced((await createUser()).email);
  const before = await everything();
  const deliveries = await db.$count(webhookDeliveries);
  const answer = await answerOf(deliver(event, tampered(event)));

  const message = 'The signature of this request isn’t valid.';
  expect(answer).toMatchObject({ status: 401, body: { code: 'signature_invalid', message } });
  expect(await everything()).toEqual(before);
  expect(await db.$count(webhookDeliveries)).toBe(deliveries);
  expect(loggedEvents()).toMatchObject([{ event: 'webhook_refused', reason: 'signature_invalid' }]);
});

test('a timestamp within 5 minutes is accepted, and so is one valid signature among several', async () => {
  for (const side of [-1, 1]) {
    // With time for a slow machine.
    const at = new Date(Date.now() + side * (5 * minute - 30_000));
    expect((await deliver(bounced(uniqueEmail()), { at })).status).toBe(200);
  }
  const email = uniqueEmail();
  const event = bounced(email);
  const signed = signedHeaders(text(event), { id: 'msg_several' });
  const old = signedHeaders(text(event), { id: 'msg_several', secret: otherSecret });
  const headers = { 'svix-signature': `${old['svix-signature']} ${signed['svix-signature']}` };

  expect((await deliver(event, { id: 'msg_several', headers })).status).toBe(200);
  expect(await reasonOf(email)).toBe('bounced');
});

test('a session or CSRF token does not replace the signature, and neither is required with it', async () => {
  const event = bounced(uniqueEmail());
  const headers = { Origin: 'https://lectern.test', 'svix-signature': '' };

  expect((await deliver(event, { headers })).status).toBe(401);
  expect((await deliver(event, { headers: { Origin: 'https://evil.test' } })).status).toBe(200);
});

test('a repeated delivery is answered like the first and changes nothing, even after the suppression was lifted', async () => {
  const email = uniqueEmail();
  const first = await answerOf(deliver(bounced(email), { id: 'msg_twice' }));
  await db.delete(suppressedAddresses).where(eq(suppressedAddresses.emailCanonical, email));
  const before = await everything();
  const again = await answerOf(deliver(bounced(email), { id: 'msg_twice' }));

  expect([first, again]).toEqual(Array(2).fill({ status: 200, body: null }));
  expect(await everything()).toEqual(before);
  expect(loggedEvents('webhook_repeated')).toHaveLength(1);
});

test('of 20 parallel deliveries of one event exactly one suppresses the address', async () => {
  const email = uniqueEmail();
  const event = complained(email);
  const deliveries = Array.from({ length: 20 }, () => deliver(event, { id: 'msg_parallel' }));
  const responses = await Promise.all(deliveries);

  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await reasonOf(email)).toBe('complained');
  expect(loggedEvents('address_undeliverable')).toHaveLength(1);
  expect(loggedEvents('webhook_repeated')).toHaveLength(19);
});

test('an event that could not be stored is requested again, and then stored', async () => {
  const email = uniqueEmail();
  const send = () => deliver(bounced(email), { id: 'msg_retried' });
  const failed = await answerOf(whileFailing('INSERT ON undeliverable_addresses', send));

  expect(failed).toMatchObject(refusal(503, 'unavailable'));
  expect(takeNoise()).toHaveLength(1);
  expect(await db.$count(webhookDeliveries, eq(webhookDeliveries.id, 'msg_retried'))).toBe(0);
  expect((await send()).status).toBe(200);
  expect(await reasonOf(email)).toBe('bounced');
});

test('signed content that is not an event is malformed and changes nothing', async () => {
  const before = await everything();
  const events = [
    ...[null, [1], { data: {} }, { type: 7 }, { type: 'email.complained', data: {} }],
    { type: 'email.bounced', data: { to: [1] } },
  ];
  for (const event of events) {
    expect(await answerOf(deliver(event))).toMatchObject(refusal(400, 'malformed_body'));
  }
  const headers = signedHeaders('{');
  expect((await deliver(null, { raw: '{', headers })).status).toBe(400);

  expect(await everything()).toEqual(before);
  expect(loggedEvents('webhook_refused')).toHaveLength(events.length + 1);
});

async function markOf(email: string) {
  const isOfEmail = eq(suppressedAddresses.emailCanonical, email);
  return (await db.select().from(suppressedAddresses).where(isOfEmail).get()) ?? null;
}

async function reasonOf(email = '') {
  return (await markOf(email))?.reason ?? null;
}
