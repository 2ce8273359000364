import { eq } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { knownSignIns } from '#db/schema/sign-in.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { day } from '#support/days.ts';
import { createChange, createLink, createUser, db } from '#support/factories.ts';
import { fakeGoogle, googlePerson } from '#support/google.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';
import {
  confirm,
  confirmPath,
  loginPath,
  logoutPath,
  requestLogin,
  statusesOf,
} from './support.ts';

/** The client's IP address, in the header that Cloudflare sets. */
const atHome = { headers: { 'CF-Connecting-IP': '203.0.113.7' } };
const elsewhere = { headers: { 'CF-Connecting-IP': '198.51.100.9' } };

let start = Date.UTC(2032, 0, 1, 12);

beforeEach(() => {
  start += 3 * day;
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});

test.each([
  ['the browser, on another network', elsewhere, true],
  ['the network, in another browser', atHome, false],
])(
  'when strangers use up the emails of an address, its owner still gets three by %s',
  async (_what, where, isOwnBrowser) => {
    const { accepted } = fakeResend();
    const { email, client } = await createOwner();
    const bindings = { LIMITS: { mails_per_address: ['1/h'] } };
    const ask = (browser: Client, place = {}) =>
      requestLogin(email, browser, { ...place, bindings });
    const strangers = [createClient(), createClient()];
    expect(await statusesOf(strangers, (one) => ask(one))).toEqual([200, 429]);
    const browser = isOwnBrowser ? client : createClient();
    const browsers = Array<Client>(4).fill(browser);

    expect(await statusesOf(browsers, (one) => ask(one, where))).toEqual([200, 200, 200, 429]);
    const token = tokenIn(accepted.at(-1));
    expect((await confirm({ token }, browser, where)).status).toBe(200);
    const [, refusal] = loggedEvents('rate_limited');
    expect(refusal).toMatchObject({ limit: 'mails_per_address_reserved' });
  },
);

/** Room for one email by strangers, and enough for those who are known. */
const bindings = {
  LIMITS: { mails_per_address: ['1/h'], mails_per_address_reserved: ['9/h'] },
};

test('a browser and a network are known only to the accounts that signed in there', async () => {
  fakeResend();
  const { client } = await createOwner();
  const { email } = await createUser();
  const browsers = [client, client, createClient()];
  const options = { ...atHome, bindings };

  expect(await statusesOf(browsers, (one) => requestLogin(email, one, options))).toEqual([
    200, 429, 429,
  ]);
});

test('a network without a readable address is not remembered, nor is a browser with a forged cookie', async () => {
  fakeResend();
  const nowhere = { headers: { 'CF-Connecting-IP': 'unknown' } };
  const { user, client, email } = await createOwner(nowhere);
  expect(await kindsOf(user.id)).toEqual(['browser']);
  const token = client.cookies.get('__Host-browser') ?? '';
  const cookies = ['', 'a', token.toUpperCase(), `${token}0`, 'f'.repeat(64), token];
  const statuses = await statusesOf(cookies, (cookie) => {
    const browser = createClient();
    browser.cookies.set('__Host-browser', cookie);
    return requestLogin(email, browser, { ...nowhere, bindings });
  });

  expect(statuses).toEqual([200, 429, 429, 429, 429, 200]);
});

test.each(['verification', 'login', 'address_change', 'a sign-in with Google'] as const)(
  '%s remembers browser and network',
  async (way) => {
    fakeResend();
    const google = fakeGoogle();
    const person = googlePerson();
    const emailVerifiedAt = way === 'verification' ? null : new Date();
    const user = await createUser({ emailVerifiedAt, googleSub: person.sub });
    const client = createClient();
    const byLink = async (token: string) => client.post(confirmPath, { token });
    const response = await {
      verification: async () => byLink(await createLink(user, { purpose: 'verification' })),
      login: async () => byLink(await createLink(user)),
      address_change: async () => byLink((await createChange(user)).token),
      'a sign-in with Google': () => google.signIn(client, person),
    }[way]();

    expect(await kindsOf(user.id)).toEqual(['browser', 'network']);
    expect(browserCookieOf(response)).toMatch(
      /^__Host-browser=[0-9a-f]{64}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  },
);

test('only a sign-in sets the cookie, and it stays after logout', async () => {
  fakeResend();
  const { client, email } = await createOwner();
  const token = client.cookies.get('__Host-browser');
  const others = [
    await client.post(logoutPath),
    await client.post(loginPath, { email }),
    await createClient().post(confirmPath, { token: 'f'.repeat(64) }),
  ];

  expect(others.map(({ status }) => status)).toEqual([204, 200, 400]);
  expect(others.map(browserCookieOf)).toEqual(Array(3).fill(undefined));
  expect(client.cookies.get('__Host-browser')).toBe(token);
});

test('each sign-in renews the 180 days, with the same cookie; a malformed cookie is replaced', async () => {
  const { client, user } = await createOwner();
  const token = client.cookies.get('__Host-browser');
  vi.setSystemTime(start + 100 * day);
  const again = await client.post(confirmPath, { token: await createLink(user) }, atHome);

  expect(browserCookieOf(again)).toContain(`=${token}; Max-Age=34560000`);
  const rows = await db.select().from(knownSignIns).where(eq(knownSignIns.userId, user.id));
  expect(rows.map(({ expiresAt }) => expiresAt.getTime())).toEqual(
    Array(2).fill(start + 280 * day),
  );

  client.cookies.set('__Host-browser', 'mine');
  await confirm({ token: await createLink(user) }, client, atHome);
  expect(client.cookies.get('__Host-browser')).toMatch(/^[0-9a-f]{64}$/);
});

test('after 180 days without a sign-in a browser is unknown, even before the clean-up', async () => {
  fakeResend();
  const { client, email } = await createOwner();
  const options = { ...atHome, bindings: { LIMITS: { mails_per_address_reserved: ['1/s'] } } };
  const limitOf = async () => {
    await requestLogin(email, client, options);
    const { status } = await requestLogin(email, client, options);
    return status === 429 ? 'reserved' : 'of strangers';
  };

  vi.setSystemTime(start + 180 * day - 1);
  expect(await limitOf()).toBe('reserved');
  vi.setSystemTime(start + 180 * day);
  expect(await limitOf()).toBe('of strangers');
});

/** A user who has signed in, with their browser. */
async function createOwner(where: { headers: Record<string, string> } = atHome) {
  const user = await createUser();
  const client = createClient();
  const token = await createLink(user);
  expect((await confirm({ token }, client, where)).status).toBe(200);
  return { user, email: user.email, client };
}

async function kindsOf(userId: string): Promise<string[]> {
  const rows = await db.select().from(knownSignIns).where(eq(knownSignIns.userId, userId));
  for (const { origin } of rows) {
    expect(origin).toMatch(/^(browser|network):[0-9a-f]{64}$/);
  }
  return rows.map(({ origin }) => origin.replace(/:.*/, '')).sort();
}

function browserCookieOf(response: Response): string | undefined {
  return response.headers.getSetCookie().find((cookie) => /^(__Host-)?browser=/.test(cookie));
}
