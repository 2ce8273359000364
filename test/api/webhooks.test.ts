import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { webhookDeliveries } from '#db/schema/webhook-deliveries.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { brokenDatabase } from '#support/database.ts';
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

const minute = 60 * 1000;
const otherSecret = `whsec_${btoa('another-secret-altogether')}`;

afterEach(() => {
  vi.useRealTimers();
});

test('a permanent bounce suppresses the address, and the log names the user’s id', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const user = await createUser();
  const before = await userRow(user.id);
  const response = await deliver(bounced(user.email.toUpperCase()));

  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
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

test('an address without an account is suppressed too', async () => {
  const email = uniqueEmail();
  await deliver(bounced(email));

  expect(await reasonOf(email)).toBe('bounced');
  expect(loggedEvents('address_undeliverable')).toMatchObject([{ user_id: null }]);
});

test.each([
  [
    'from another sender',
    (email: string) => withData(bounced(email), { from: 'News <news@lectern.test>' }),
  ],
  [
    'from a sender that ends like ours',
    (email: string) => withData(bounced(email), { from: 'hello@lectern.test.evil.example' }),
  ],
  ['to several', (email: string) => bounced([email, uniqueEmail()])],
  ['to hundreds', (email: string) => bounced([email, ...Array.from({ length: 300 }, uniqueEmail)])],
  ['without a recipient', () => bounced([])],
])('an email %s is not ours, and suppresses no address', async (_what, event) => {
  const email = uniqueEmail();

  expect((await deliver(event(email))).status).toBe(200);
  expect(await reasonOf(email)).toBeNull();
});

function withData(event: { data: object }, data: object) {
  return { ...event, data: { ...event.data, ...data } };
}

test.each([
  ['a complaint', complained, 'complained'],
  ['an email that Resend suppressed', suppressed, 'bounced'],
] as const)('%s suppresses the address', async (_what, event, reason) => {
  const email = uniqueEmail();

  expect((await deliver(event(email))).status).toBe(200);
  expect(await reasonOf(email)).toBe(reason);
});

test.each([
  ['a temporary bounce', (to: string) => bounced(to, 'Transient')],
  ['a bounce without a type', (to: string) => bounced(to, 'Undetermined')],
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

test('a complaint replaces a bounce, but a bounce does not replace a complaint', async () => {
  const email = uniqueEmail();
  await deliver(bounced(email));
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

test('a second bounce keeps the time of the first', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  const email = uniqueEmail();
  await deliver(bounced(email));
  vi.setSystemTime(Date.UTC(2030, 0, 2));
  await deliver(bounced(email));

  expect((await markOf(email))?.since).toEqual(new Date(Date.UTC(2030, 0, 1)));
});

const text = (event: unknown) => JSON.stringify(event);

test.each<
  [
    string,
    (event: unknown) => Promise<Parameters<typeof deliver>[1]> | Parameters<typeof deliver>[1],
  ]
>([
  ['with an extra space', (event) => ({ raw: `${text(event)} ` })],
  ['with a space inside', (event) => ({ raw: text(event).replace(',', ', ') })],
  ['without a body', () => ({ raw: '' })],
  ['signed 5 minutes and 2 seconds ago', () => ({ at: new Date(Date.now() - 5 * minute - 2_000) })],
  [
    'signed 5 minutes and 2 seconds ahead',
    () => ({ at: new Date(Date.now() + 5 * minute + 2_000) }),
  ],
  ['signed with another secret', () => ({ secret: otherSecret })],
  ['with the id of another event', () => ({ headers: { 'svix-id': 'msg_another' } })],
  [
    'with the time of another event',
    () => ({ headers: { 'svix-timestamp': String(Math.floor(Date.now() / 1000) + 3) } }),
  ],
  ['without an id', () => ({ headers: { 'svix-id': '' } })],
  ['without a time', () => ({ headers: { 'svix-timestamp': '' } })],
  ['with an invalid time', () => ({ headers: { 'svix-timestamp': 'now' } })],
  ['without a signature', () => ({ headers: { 'svix-signature': '' } })],
  ['with an empty signature', () => ({ headers: { 'svix-signature': 'v1,' } })],
  ['with half a signature', () => ({ headers: { 'svix-signature': 'v1' } })],
  [
    'with a signature without a version',
    async (event) => {
      const signed = await signedHeaders(text(event), { id: 'msg_1' });
      return {
        id: 'msg_1',
        headers: { 'svix-signature': signed['svix-signature'].replace('v1,', '') },
      };
    },
  ],
  [
    'with a signature of another version',
    async (event) => {
      const signed = await signedHeaders(text(event), { id: 'msg_2' });
      return {
        id: 'msg_2',
        headers: { 'svix-signature': signed['svix-signature'].replace('v1', 'v2') },
      };
    },
  ],
])('an event %s is refused, and nothing changes', async (_what, tampered) => {
  const event = bounced((await createUser()).email);
  const before = await everything();
  const deliveries = await db.$count(webhookDeliveries);
  const response = await deliver(event, await tampered(event));

  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    code: 'signature_invalid',
    message: 'The signature of this request isn’t valid.',
  });
  expect(await everything()).toEqual(before);
  expect(await db.$count(webhookDeliveries)).toBe(deliveries);
  expect(loggedEvents()).toMatchObject([{ event: 'webhook_refused', reason: 'signature_invalid' }]);
});

test('a timestamp within 5 minutes is accepted, and so is one valid signature among several', async () => {
  for (const at of [-1, 1].map((side) => new Date(Date.now() + side * (5 * minute - 5_000)))) {
    expect((await deliver(bounced(uniqueEmail()), { at })).status).toBe(200);
  }
  const email = uniqueEmail();
  const event = bounced(email);
  const signed = await signedHeaders(text(event), { id: 'msg_several' });
  const old = await signedHeaders(text(event), { id: 'msg_several', secret: otherSecret });
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
  const first = await deliver(bounced(email), { id: 'msg_twice' });
  await db.delete(suppressedAddresses).where(eq(suppressedAddresses.emailCanonical, email));
  const before = await everything();
  const again = await deliver(bounced(email), { id: 'msg_twice' });

  expect([first.status, again.status]).toEqual([200, 200]);
  expect(await again.text()).toBe('');
  expect(await everything()).toEqual(before);
  expect(loggedEvents('webhook_repeated')).toHaveLength(1);
});

test('of 20 parallel deliveries of one event exactly one suppresses the address', async () => {
  const email = uniqueEmail();
  const event = complained(email);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => deliver(event, { id: 'msg_parallel' })),
  );

  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await reasonOf(email)).toBe('complained');
  expect(loggedEvents('address_undeliverable')).toHaveLength(1);
  expect(loggedEvents('webhook_repeated')).toHaveLength(19);
});

test('an event that could not be stored is requested again, and then stored', async () => {
  const email = uniqueEmail();
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON undeliverable_addresses BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const failed = await deliver(bounced(email), { id: 'msg_retried' });
  await env.DB.exec('DROP TRIGGER broken');

  expect(failed.status).toBe(503);
  expect(await failed.json()).toMatchObject({ code: 'unavailable' });
  expect(takeNoise()).toHaveLength(1);
  expect(await db.$count(webhookDeliveries, eq(webhookDeliveries.id, 'msg_retried'))).toBe(0);
  expect((await deliver(bounced(email), { id: 'msg_retried' })).status).toBe(200);
  expect(await reasonOf(email)).toBe('bounced');
});

test('while the database does not answer, an event is requested again', async () => {
  const bindings = { DB: brokenDatabase() };

  expect((await deliver(bounced(uniqueEmail()), { bindings })).status).toBe(503);
  expect(takeNoise()).toHaveLength(1);
});

test('a body is read up to the size limit of events, with or without a declared length', async () => {
  const email = uniqueEmail();
  const large = { ...bounced(email), padding: 'x'.repeat(200_000) };
  const tooLarge = { ...bounced(uniqueEmail()), padding: 'x'.repeat(262_144) };

  expect((await deliver(large)).status).toBe(200);
  expect(await reasonOf(email)).toBe('bounced');
  for (const raw of [text(tooLarge), new Blob([text(tooLarge)]).stream()]) {
    const response = await deliver(tooLarge, { raw });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'body_too_large' });
  }
});

test.each([
  ['no object', null],
  ['a list', [1]],
  ['without a type', { data: {} }],
  ['with an unknown type', { type: 7 }],
  ['without data', { type: 'email.complained' }],
  ['without addresses', { type: 'email.complained', data: {} }],
  ['with one address instead of a list', { type: 'email.complained', data: { to: 'a@b.example' } }],
  ['with an address that is a number', { type: 'email.bounced', data: { to: [1] } }],
])('a signed event %s is malformed and changes nothing', async (_what, event) => {
  const before = await everything();
  const response = await deliver(event);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'malformed_body' });
  expect(await everything()).toEqual(before);
  expect(loggedEvents()).toMatchObject([{ event: 'webhook_refused', reason: 'malformed_body' }]);
});

test('a signed body that is not JSON is malformed', async () => {
  const headers = await signedHeaders('{');
  const response = await deliver(null, { raw: '{', headers });

  expect(response.status).toBe(400);
});

async function markOf(email: string) {
  const mark = await db
    .select()
    .from(suppressedAddresses)
    .where(eq(suppressedAddresses.emailCanonical, email))
    .get();
  return mark ?? null;
}

async function reasonOf(email = '') {
  return (await markOf(email))?.reason ?? null;
}
