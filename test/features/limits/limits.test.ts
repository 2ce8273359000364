import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '#api/app.ts';
import { counters } from '#db/schema/counters.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import {
  defaultLimits,
  type LimitName,
  LimitsSetting,
  type NetworkLimitName,
  parseRate,
} from '#features/limits/limits.ts';
import { createToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { databaseWith } from '#support/database.ts';
import {
  createLink,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, mailsTo, tokenIn } from '#support/resend.ts';

const loginPath = '/api/accounts/auth/login/';
const signUpPath = '/api/accounts/auth/signup/';
const accountsPath = '/api/accounts/';
const confirmPath = '/api/accounts/auth/confirm/';
const googlePath = '/api/accounts/auth/google/login/';
const callbackPath = '/api/accounts/auth/google/callback/';
const coursesPath = '/api/courses/';
const userPath = '/api/accounts/auth/user/';

const minute = 60_000;
const noLimits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, []]));

type Options = Parameters<Client['get']>[1];

let day = 0;

// Every test has days of its own, so that it finds all windows empty.
beforeEach(() => {
  day += 3;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, day, 12, 0, 20) });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['3/15m', { count: 3, seconds: 900 }],
  ['10/d', { count: 10, seconds: 86_400 }],
  ['1/s', { count: 1, seconds: 1 }],
  ['500/2h', { count: 500, seconds: 7_200 }],
])('%j is a rate', (text, rate) => {
  expect(parseRate(text)).toEqual(rate);
});

test.each([
  '',
  '3',
  '3/',
  '3/15',
  '/15m',
  '0/m',
  '3/0m',
  '03/m',
  '-3/m',
  '1.5/m',
  '3/1.5m',
  '3/M',
  '3/w',
  '3 / 15m',
  ' 3/15m',
  '3/15m\n',
  '3/15m,10/d',
  '1e3/m',
  '1234567890/m',
  '3/123456m',
])('%j is no rate', (text) => {
  expect(parseRate(text)).toBeNull();
});

test('what the setting does not name keeps its default, and an empty list is no limit', () => {
  const defaults = LimitsSetting.parse({});
  expect(defaults).toEqual({
    mails_per_address: [rate(3, 900), rate(10, 86_400)],
    mails_per_address_reserved: [rate(3, 900), rate(10, 86_400)],
    sign_ups_per_address: [rate(3, 900), rate(10, 86_400)],
    mails_per_ip: [rate(10, 60), rate(50, 3_600)],
    unknown_addresses_per_ip: [rate(20, 3_600)],
    unknown_addresses: [rate(1000, 3_600)],
    mails: [rate(500, 3_600)],
    mails_to_unproven: [rate(300, 3_600)],
    confirmations_per_ip: [rate(20, 60)],
    google_starts_per_ip: [rate(20, 60)],
    google_callbacks_per_ip: [rate(20, 60)],
    address_changes_per_user: [rate(5, 86_400)],
    courses_per_user: [rate(10, 60), rate(100, 86_400)],
    exports_per_user: [rate(3, 86_400)],
  });
  expect(LimitsSetting.parse({ mails: ['2/h', '9/2d'], exports_per_user: [] })).toEqual({
    ...defaults,
    mails: [rate(2, 3_600), rate(9, 172_800)],
    exports_per_user: [],
  });
});

test.each([
  [{ mails: ['lots'] }],
  [{ mails: ['2/h', '0/d'] }],
  [{ mails: '2/h' }],
  [{ mails: [2] }],
  [{ mails: ['4/d', '4/24h'] }],
  [{ mails: null }],
  [{ male: ['2/h'] }],
  [{ toString: ['2/h'] }],
  ['2/h'],
  [['2/h']],
  [null],
])('the malformed setting %j stops the app and is named in the log alone', async (LIMITS) => {
  const response = await createClient().get('/api/health/', { bindings: { LIMITS } });
  const [line = ''] = takeNoise();

  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('LIMITS');
  expect(line).toContain('The setting LIMITS');
});

type Use = {
  /** How it is answered while there is room. */
  passes: number;
  /** Makes what is limited ready, to be tried as often as wanted. */
  prepare: () => Promise<(bindings: { LIMITS: unknown }) => Promise<Response>>;
};

/** All that is refused with 429; the other limits have tests of their own. */
const uses: Record<
  Exclude<LimitName, 'mails' | 'mails_to_unproven' | 'google_callbacks_per_ip'>,
  Use
> = {
  mails_per_address: {
    passes: 200,
    prepare: async () => {
      const { email } = await createUser();
      return (bindings) => createClient().post(loginPath, { email }, { bindings });
    },
  },
  mails_per_address_reserved: {
    passes: 200,
    prepare: async () => {
      const { email, client } = await createKnownClient();
      return (bindings) => client.post(loginPath, { email }, { bindings });
    },
  },
  sign_ups_per_address: {
    passes: 201,
    prepare: async () => {
      const email = uniqueEmail();
      return (bindings) => createClient().post(signUpPath, person(email), { bindings });
    },
  },
  mails_per_ip: {
    passes: 201,
    prepare: async () => {
      const client = createClient();
      return (bindings) => client.post(signUpPath, person(uniqueEmail()), { bindings });
    },
  },
  unknown_addresses_per_ip: {
    passes: 404,
    prepare: async () => {
      const client = createClient();
      return (bindings) => client.post(loginPath, { email: uniqueEmail() }, { bindings });
    },
  },
  unknown_addresses: {
    passes: 404,
    prepare: async () => (bindings) =>
      createClient().post(loginPath, { email: uniqueEmail() }, { bindings }),
  },
  confirmations_per_ip: {
    passes: 400,
    prepare: async () => {
      const client = createClient();
      return (bindings) => client.post(confirmPath, { token: createToken() }, { bindings });
    },
  },
  google_starts_per_ip: {
    passes: 200,
    prepare: async () => {
      const client = createClient();
      return (bindings) => client.post(googlePath, undefined, { bindings });
    },
  },
  address_changes_per_user: {
    passes: 200,
    prepare: async () => {
      const { client, user } = await createSignedInClient();
      await client.get(userPath);
      const path = `/api/accounts/${user.id}/`;
      return (bindings) => client.request('PATCH', path, { email: uniqueEmail() }, { bindings });
    },
  },
  courses_per_user: {
    passes: 201,
    prepare: async () => {
      const { client } = await createSignedInClient();
      const course = { name: 'Biology 101', course_type: 'cohort' };
      return (bindings) => client.post(coursesPath, course, { bindings });
    },
  },
  exports_per_user: {
    passes: 200,
    prepare: async () => {
      const { client, user } = await createSignedInClient();
      return (bindings) => client.get(`/api/accounts/${user.id}/export/`, { bindings });
    },
  },
};

test.each(Object.entries(uses))(
  '%s: so many pass, the next is told how long to wait, and passes after it',
  async (limit, { passes, prepare }) => {
    fakeResend();
    const attempt = await prepare();
    const bindings = { LIMITS: { ...noLimits, [limit]: ['2/m'] } };
    const start = Date.now();
    expect((await attempt(bindings)).status).toBe(passes);
    expect((await attempt(bindings)).status).toBe(passes);
    const refused = await attempt(bindings);

    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({
      code: 'rate_limited',
      message: 'Too many requests. Please try again later.',
      request_id: refused.headers.get('X-Request-Id'),
    });
    const events = loggedEvents('rate_limited');
    expect(events).toHaveLength(1);
    expect(String(events[0]?.['limit']).split(',')).toContain(limit);
    const retryAfter = refused.headers.get('Retry-After');
    expect(retryAfter).toMatch(/^[1-9]\d*$/);
    const seconds = Number(retryAfter);
    expect(seconds).toBeLessThanOrEqual(60);
    vi.setSystemTime(start + (seconds - 1) * 1_000);
    expect((await attempt(bindings)).status).toBe(429);
    vi.setSystemTime(start + seconds * 1_000);
    expect((await attempt(bindings)).status).toBe(passes);
  },
);

test('answers of Google from one place beyond the limit go to the login page, and Google is not asked', async () => {
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(null, { status: 400 }));
  const client = createClient();
  const callback = async () => {
    const started = await client.post(googlePath);
    const { redirect_url } = await started.json<{ redirect_url: string }>();
    const state = new URL(redirect_url).searchParams.get('state');
    const bindings = { LIMITS: { google_callbacks_per_ip: ['2/m'] } };
    return client.get(`${callbackPath}?state=${state}&code=x`, { bindings });
  };
  const responses = [await callback(), await callback(), await callback()];

  expect(responses.map(({ status, headers }) => [status, headers.get('Location')])).toEqual(
    Array(3).fill([302, '/login?error=auth_failed']),
  );
  expect(asked).toHaveBeenCalledTimes(2);
  expect(loggedEvents('rate_limited')).toMatchObject([{ limit: 'google_callbacks_per_ip' }]);
  vi.setSystemTime(Date.now() + minute);
  await callback();
  expect(asked).toHaveBeenCalledTimes(3);
});

test.each([
  ['the default', 3, {}],
  ['a limit of 5', 5, { LIMITS: { mails_per_address: ['5/15m'] } }],
])(
  'of 30 parallel logins with one address from 30 places %s lets exactly %i send a mail',
  async (_which, limit, bindings) => {
    const { accepted, attempts } = fakeResend();
    const { email } = await createUser();
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => createClient().post(loginPath, { email }, { bindings })),
    );

    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(limit).fill(200),
      ...Array(30 - limit).fill(429),
    ]);
    expect(accepted.map(({ to }) => to)).toEqual(Array(limit).fill(email));
    expect(attempts).toHaveLength(limit);
    expect(loggedEvents('rate_limited')).toHaveLength(30 - limit);
  },
);

test('all spellings of an address share one budget', async () => {
  const { accepted } = fakeResend();
  const { email } = await createUser();
  const spellings = [
    email,
    email.toUpperCase(),
    ` ${email}\t`,
    email.replace('@', '＠'),
    email.replace('example', 'ＥＸＡＭＰＬＥ'),
  ];
  const statuses: number[] = [];
  for (const spelling of spellings) {
    statuses.push((await createClient().post(loginPath, { email: spelling })).status);
  }

  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(accepted).toHaveLength(3);
});

test('login, sign-up, a new account, a repeated verification and an address change share one budget of the address', async () => {
  const { accepted } = fakeResend();
  const { client: owner, user: other } = await createSignedInClient();
  await owner.get(userPath);
  const ways = (email: string) => [
    () => createClient().post(signUpPath, person(email)),
    () => createClient().post(loginPath, { email }),
    () => createClient().post(accountsPath, person(email)),
    () => owner.request('PATCH', `/api/accounts/${other.id}/`, { email }),
  ];
  for (const first of [0, 1, 2, 3]) {
    const { email } = await createUser({ emailVerifiedAt: null });
    const inTurn = [...ways(email).slice(first), ...ways(email).slice(0, first)];
    accepted.length = 0;
    const statuses: number[] = [];
    for (const ask of [...inTurn, ...inTurn]) {
      statuses.push((await ask()).status);
    }

    expect(statuses.slice(0, 3)).not.toContain(429);
    expect(statuses.slice(3)).toEqual(Array(5).fill(429));
    expect(mailsTo(email, accepted)).toHaveLength(3);
  }
});

test('no header that a client can choose makes another place of it', async () => {
  fakeResend();
  const client = createClient();
  const statuses: number[] = [];
  for (let last = 1; last <= 12; last += 1) {
    const address = `198.51.100.${last}`;
    const headers = {
      'X-Forwarded-For': address,
      'X-Real-IP': address,
      'X-Client-IP': address,
      'True-Client-IP': address,
      Forwarded: `for=${address}`,
    };
    statuses.push((await client.post(signUpPath, person(uniqueEmail()), { headers })).status);
  }

  expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
});

test('100 addresses in one /64 are one place, and its neighbours are others', {
  timeout: 30_000,
}, async () => {
  const { accepted } = fakeResend();
  const from = async (address: string) => {
    const headers = { 'CF-Connecting-IP': address };
    return (await createClient().post(signUpPath, person(uniqueEmail()), { headers })).status;
  };
  const statuses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => from(`2001:db8:0:1:${index}::${index + 1}`)),
  );

  expect(statuses.sort()).toEqual([...Array(10).fill(201), ...Array(90).fill(429)]);
  expect(accepted).toHaveLength(10);
  expect(await from('2001:db8:0:2::1')).toBe(201);
  expect(await from('2001:db8::1')).toBe(201);
  expect(await from('203.0.113.7')).toBe(201);
});

test('a refusal of sign-up is the same for known, unverified and unknown addresses', async () => {
  fakeResend();
  const bindings = { LIMITS: { sign_ups_per_address: ['1/15m'] } };
  const refusals: unknown[] = [];
  for (const email of await oneOfEach()) {
    await createClient().post(signUpPath, person(email), { bindings });
    const refused = await createClient().post(signUpPath, person(email), { bindings });
    refusals.push(await comparable(refused));
  }

  expect(refusals[0]).toMatchObject({ status: 429 });
  expect(refusals).toEqual(Array(3).fill(refusals[0]));
});

test('a refusal of login is the same for known, unverified and unknown addresses', async () => {
  fakeResend();
  const bindings = { LIMITS: { mails_per_address: ['1/15m'] } };
  const refusals: unknown[] = [];
  for (const email of await oneOfEach()) {
    await createClient().post(loginPath, { email }, { bindings });
    refusals.push(await comparable(await createClient().post(loginPath, { email }, { bindings })));
  }

  expect(refusals[0]).toMatchObject({ status: 429 });
  expect(refusals).toEqual(Array(3).fill(refusals[0]));
});

test('a place that has asked for enough mails learns nothing by asking on', async () => {
  const { attempts } = fakeResend();
  const bindings = { LIMITS: { mails_per_ip: ['2/h'] } };
  const client = createClient();
  for (const { email } of [await createUser(), await createUser()]) {
    expect((await client.post(loginPath, { email }, { bindings })).status).toBe(200);
  }
  const refusals: unknown[] = [];
  for (const email of await oneOfEach()) {
    refusals.push(await comparable(await client.post(loginPath, { email }, { bindings })));
  }

  expect(refusals[0]).toMatchObject({ status: 429 });
  expect(refusals).toEqual(Array(3).fill(refusals[0]));
  expect(attempts).toHaveLength(2);
});

test('who tries to log in first still has all mails to sign up with', async () => {
  const { accepted } = fakeResend();
  const client = createClient();
  const email = uniqueEmail();
  expect((await client.post(loginPath, { email })).status).toBe(404);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    statuses.push((await client.post(signUpPath, person(email))).status);
  }

  expect(statuses).toEqual([201, 201, 201, 429]);
  expect(accepted).toHaveLength(3);
});

test('a flood of sign-ups leaves mails for those who have an account', async () => {
  const { accepted } = fakeResend();
  const { email } = await createUser();
  const bindings = { LIMITS: { mails: ['9/h'], mails_to_unproven: ['2/h'] } };
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const response = await createClient().post(signUpPath, person(uniqueEmail()), { bindings });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([201, 201, 503]);
  expect(takeNoise()).toHaveLength(1);

  expect((await createClient().post(loginPath, { email }, { bindings })).status).toBe(200);
  expect(accepted).toHaveLength(3);
});

test('who had no account when somebody tried to log in with their address gets their links all the same', async () => {
  fakeResend();
  const email = uniqueEmail();
  for (let count = 0; count < 4; count += 1) {
    await createClient().post(loginPath, { email });
  }
  await createUser({ email });

  expect((await createClient().post(loginPath, { email })).status).toBe(200);
});

test('where the budget of mails is used up, the link that was mailed before keeps working', async () => {
  const { accepted } = fakeResend();
  const { email } = await createUser();
  const bindings = { LIMITS: { mails: ['1/h'] } };
  await createClient().post(loginPath, { email }, { bindings });
  const refused = await createClient().post(loginPath, { email }, { bindings });
  const confirmed = await createClient().post('/api/accounts/auth/confirm/', {
    token: tokenIn(accepted[0]),
  });

  expect([refused.status, confirmed.status]).toEqual([503, 200]);
  expect(takeNoise()).toHaveLength(1);
});

test('a place that has tried too many unknown addresses is not told of the known ones either', async () => {
  const { attempts } = fakeResend();
  const bindings = { LIMITS: { unknown_addresses_per_ip: ['2/h'] } };
  const addresses = await oneOfEach();
  const client = createClient();
  for (let count = 0; count < 2; count += 1) {
    const unknown = await client.post(loginPath, { email: uniqueEmail() }, { bindings });
    expect(unknown.status).toBe(404);
  }
  const refusals: unknown[] = [];
  for (const email of addresses) {
    refusals.push(await comparable(await client.post(loginPath, { email }, { bindings })));
  }

  expect(refusals[0]).toMatchObject({ status: 429 });
  expect(refusals).toEqual(Array(3).fill(refusals[0]));
  expect(attempts).toHaveLength(0);
  const [email] = addresses;
  expect((await createClient().post(loginPath, { email }, { bindings })).status).toBe(200);
});

test('known addresses use up nothing of what a place may try of unknown ones', async () => {
  fakeResend();
  const bindings = { LIMITS: { unknown_addresses_per_ip: ['1/h'] } };
  const client = createClient();
  const statuses: number[] = [];
  for (const email of [(await createUser()).email, (await createUser()).email, uniqueEmail()]) {
    statuses.push((await client.post(loginPath, { email }, { bindings })).status);
  }

  expect(statuses).toEqual([200, 200, 404]);
});

test('refused requests use nothing up: the day is long enough for its 10 mails', async () => {
  const { accepted } = fakeResend();
  const { email } = await createUser();
  const passed: number[] = [];
  for (let quarter = 0; quarter < 5; quarter += 1) {
    accepted.length = 0;
    for (let count = 0; count < 12; count += 1) {
      await createClient().post(loginPath, { email });
    }
    passed.push(accepted.length);
    vi.setSystemTime(Date.now() + 15 * minute);
  }

  expect(passed).toEqual([3, 3, 3, 1, 0]);
  const refused = await createClient().post(loginPath, { email });
  // Until the first hour leaves the day, because it is the day that is used up.
  expect(refused.headers.get('Retry-After')).toBe(
    String((Date.UTC(2030, 0, day + 1, 12) - Date.now()) / 1_000),
  );
});

test('who uses up the mails of an address does not lock its owner out', async () => {
  const { accepted } = fakeResend();
  const { client: owner, user } = await createSignedInClient();
  for (let count = 0; count < 10; count += 1) {
    await createClient().post(loginPath, { email: user.email });
  }
  expect((await createClient().post(loginPath, { email: user.email })).status).toBe(429);
  const elsewhere = createClient();

  expect((await owner.get(userPath)).status).toBe(200);
  expect((await elsewhere.post(googlePath)).status).toBe(200);
  const token = tokenIn(accepted.at(-1));
  expect((await elsewhere.post(confirmPath, { token })).status).toBe(200);
  expect((await elsewhere.get(userPath)).status).toBe(200);
});

test('when the mails of the hour are used up, nothing is sent and nothing stays behind', async () => {
  const { attempts } = fakeResend();
  const bindings = { LIMITS: { mails: ['2/h'] } };
  const [known, unverified] = [await createUser(), await createUser({ emailVerifiedAt: null })];
  const newcomer = uniqueEmail();
  const login = (email: string) => createClient().post(loginPath, { email }, { bindings });
  const signUp = (email: string) => createClient().post(signUpPath, person(email), { bindings });
  expect((await login((await createUser()).email)).status).toBe(200);
  expect((await signUp(uniqueEmail())).status).toBe(201);
  const before = await db.select().from(users);
  for (const response of [
    await login(known.email),
    await login(unverified.email),
    await signUp(unverified.email),
    await signUp(newcomer),
  ]) {
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: 'mail_unavailable',
      message: 'We could not send the email just now. Please try again in a moment.',
    });
  }

  expect(takeNoise()).toHaveLength(4);
  expect(attempts).toHaveLength(2);
  expect(await db.select().from(users)).toEqual(before);
  for (const { id } of [known, unverified]) {
    expect(await db.select().from(links).where(eq(links.userId, id))).toEqual([]);
  }
  expect(loggedEvents('rate_limited').map(({ limit }) => limit)).toEqual(Array(4).fill('mails'));
  vi.setSystemTime(Date.now() + 60 * minute);
  expect((await login(known.email)).status).toBe(200);
});

test('the log says once when half of the mails are used up, and once at 80 percent', async () => {
  const { accepted } = fakeResend();
  const bindings = { LIMITS: { mails: ['10/h'] } };
  const seenAfter: unknown[] = [];
  for (let count = 0; count < 12; count += 1) {
    await createClient().post(signUpPath, person(uniqueEmail()), { bindings });
    seenAfter.push(loggedEvents('mail_budget').map(({ percent, max }) => [percent, max]));
  }

  expect(takeNoise()).toHaveLength(2);
  expect(accepted).toHaveLength(10);
  const [half, most] = [
    [50, 10],
    [80, 10],
  ];
  expect(seenAfter).toEqual([
    ...Array(4).fill([]),
    ...Array(3).fill([half]),
    ...Array(5).fill([half, most]),
  ]);
});

test('when nothing can be counted, no mail goes out and all else goes on', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  await client.get(userPath);
  const token = await createLink(await createUser());
  const browser = createClient();
  await browser.get('/api/health/');
  const account = `/api/accounts/${user.id}/`;
  const before = await db.select().from(users);
  await env.DB.exec('ALTER TABLE counters RENAME TO counters_away');
  const mailing = [
    await browser.post(loginPath, { email: user.email }),
    await browser.post(loginPath, { email: uniqueEmail() }),
    await browser.post(signUpPath, person(uniqueEmail())),
    await browser.post(accountsPath, person(uniqueEmail())),
    await client.request('PATCH', account, { email: uniqueEmail() }),
  ];
  const others = [
    await client.post(coursesPath, { name: 'Biology 101', course_type: 'cohort' }),
    await client.get(`${account}export/`),
    await browser.post(googlePath),
    await browser.post(confirmPath, { token }),
  ];
  await env.DB.exec('ALTER TABLE counters_away RENAME TO counters');

  expect(mailing.map(({ status }) => status)).toEqual(Array(5).fill(503));
  for (const response of mailing) {
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
  }
  expect(takeNoise()).toHaveLength(5);
  expect(attempts).toHaveLength(0);
  expect((await db.select().from(users)).map(({ email }) => email)).toEqual(
    before.map(({ email }) => email),
  );
  expect(others.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
  const uncounted = loggedEvents('limiter_failed').map(({ limit }) => limit);
  expect(uncounted).toHaveLength(9);
  expect(uncounted.slice(5)).toEqual([
    'courses_per_user',
    'exports_per_user',
    'google_starts_per_ip',
    'confirmations_per_ip',
  ]);
});

test('sign-ups on a taken address cost its owner nothing, and nobody is mailed', async () => {
  const { attempts, accepted } = fakeResend();
  const { email } = await createUser();
  const statuses: number[] = [];
  for (let quarter = 0; quarter < 4; quarter += 1) {
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await createClient().post(signUpPath, person(email))).status);
    }
    vi.setSystemTime(Date.now() + 15 * minute);
  }
  expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  expect(attempts).toHaveLength(0);

  expect((await createClient().post(loginPath, { email })).status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([email]);
});

test('what another way has used up of the mails of an address ends a sign-up, which leaves no account', async () => {
  const { accepted } = fakeResend();
  const { client: owner, user } = await createSignedInClient();
  await owner.get(userPath);
  const email = uniqueEmail();
  for (let count = 0; count < 3; count += 1) {
    await owner.request('PATCH', `/api/accounts/${user.id}/`, { email });
  }
  const refused = await createClient().post(signUpPath, person(email));

  expect(refused.status).toBe(429);
  expect(loggedEvents('rate_limited')).toMatchObject([{ limit: 'mails_per_address' }]);
  expect(mailsTo(email, accepted)).toHaveLength(3);
  expect(await db.$count(users, eq(users.email, email))).toBe(0);
});

test('all places of a /48 together may do 16 times as much as one, and its neighbors are others', async () => {
  const bindings = { LIMITS: { ...noLimits, confirmations_per_ip: ['2/h'] } };
  const from = async (address: string) => {
    const headers = { 'CF-Connecting-IP': address };
    return (await createClient().post(confirmPath, { token: createToken() }, { headers, bindings }))
      .status;
  };
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, index) => from(`2001:db8:7:${(index % 20).toString(16)}::1`)),
  );

  expect(statuses.sort()).toEqual([...Array(32).fill(400), ...Array(28).fill(429)]);
  expect(await from('2001:db8:7:ffff::1')).toBe(429);
  expect(await from('2001:db8:8::1')).toBe(400);
  expect(await from('203.0.113.8')).toBe(400);
});

/**
 * Each limit of a place, by something that counts against it and comes from everywhere in a /48.
 */
const ofPlaces: Record<NetworkLimitName, (client: Client, options: Options) => Promise<Response>> =
  {
    mails_per_ip: (client, options) => client.post(signUpPath, person(uniqueEmail()), options),
    unknown_addresses_per_ip: (client, options) =>
      client.post(loginPath, { email: uniqueEmail() }, options),
    confirmations_per_ip: (client, options) =>
      client.post(confirmPath, { token: createToken() }, options),
    google_starts_per_ip: (client, options) => client.post(googlePath, undefined, options),
    google_callbacks_per_ip: async (client, options) => {
      const started = await client.post(googlePath, undefined, options);
      const { redirect_url } = await started.json<{ redirect_url: string }>();
      const state = new URL(redirect_url).searchParams.get('state');
      return client.get(`${callbackPath}?state=${state}&error=access_denied`, options);
    },
  };

test.each(Object.entries(ofPlaces))('%s is counted for the /48 too', async (limit, attempt) => {
  fakeResend();
  const bindings = { LIMITS: { ...noLimits, [limit]: ['1/h'] } };
  for (let place = 0; place < 17; place += 1) {
    const headers = { 'CF-Connecting-IP': `2001:db8:9:${place.toString(16)}::1` };
    await attempt(createClient(), { headers, bindings });
    expect(loggedEvents('rate_limited').map((event) => event['limit'])).toEqual(
      place < 16 ? [] : [limit],
    );
  }
});

test('when all places together have tried too many unknown addresses, strangers are told nothing, and those whom an account knows get in', async () => {
  const { accepted } = fakeResend();
  const { client: knownClient, email: knownEmail } = await createKnownClient();
  const bindings = { LIMITS: { unknown_addresses: ['2/h'], mails_per_ip: ['2/h'] } };
  const login = (client: Client, email: string) => client.post(loginPath, { email }, { bindings });
  for (let count = 0; count < 2; count += 1) {
    expect((await login(createClient(), uniqueEmail())).status).toBe(404);
  }
  const refusals: unknown[] = [];
  for (const email of [...(await oneOfEach()), knownEmail]) {
    refusals.push(await comparable(await login(createClient(), email)));
  }

  expect(refusals[0]).toMatchObject({ status: 429 });
  expect(refusals).toEqual(Array(4).fill(refusals[0]));
  expect(accepted).toHaveLength(0);
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    statuses.push((await login(knownClient, knownEmail)).status);
  }
  // What the place may ask for is counted all the same.
  expect(statuses).toEqual([200, 200, 429]);
  expect(loggedEvents('rate_limited').at(-1)).toMatchObject({ limit: 'mails_per_ip' });
  expect(accepted.map(({ to }) => to)).toEqual([knownEmail, knownEmail]);
  const token = tokenIn(accepted.at(-1));
  expect((await knownClient.post(confirmPath, { token })).status).toBe(200);
  expect((await createClient().post(googlePath)).status).toBe(200);
});

test('of 30 parallel tries of unknown addresses from 30 places the limit of all lets exactly as many be told', async () => {
  fakeResend();
  const bindings = { LIMITS: { unknown_addresses: ['5/h'] } };
  const responses = await Promise.all(
    Array.from({ length: 30 }, () =>
      createClient().post(loginPath, { email: uniqueEmail() }, { bindings }),
    ),
  );

  expect(responses.map(({ status }) => status).sort()).toEqual([
    ...Array(5).fill(404),
    ...Array(25).fill(429),
  ]);
});

/** Asked of the router itself, so that a new route cannot be forgotten. */
const id = crypto.randomUUID();
const routes = [
  ...new Set(
    api.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(':id', id)}`),
  ),
  'GET /api/nowhere/',
];

test.each(routes)(
  'the floodLimit turns %s away before it costs the database anything',
  async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const { client } = await createSignedInClient();
    const asked = vi.fn();
    const bindings = {
      FLOOD_LIMIT: { limit: async () => ({ success: false }) },
      DB: databaseWith({ prepare: asked, batch: asked }),
    };
    const response = await client.request(method, path, method === 'GET' ? undefined : {}, {
      bindings,
    });

    expect(response.status).toBe(429);
    expect(response.headers.get('Retry-After')).toBe('60');
    expect(await response.json()).toMatchObject({ code: 'rate_limited' });
    expect(asked).not.toHaveBeenCalled();
    expect(loggedEvents()).toMatchObject([{ event: 'rate_limited', limit: 'floodLimit' }]);
  },
);

test('the floodLimit counts the networks of IPv6 too, and turns away what is beyond', async () => {
  const limit = vi.fn(async () => ({ success: true }));
  const asked = vi.fn(async () => ({ success: true }));
  const bindings = { FLOOD_LIMIT: { limit }, FLOOD_LIMIT_NETWORK: { limit: asked } };
  const from = (address: string) =>
    createClient().get('/api/health/', { headers: { 'CF-Connecting-IP': address }, bindings });
  for (const address of ['203.0.113.7', '2001:db8:0:1::1', '2001:db8::1', '::ffff:1.2.3.4', '']) {
    expect((await from(address)).status).toBe(200);
  }
  expect(asked.mock.calls).toEqual(Array(2).fill([{ key: '2001:db8:0::/48' }]));

  asked.mockResolvedValue({ success: false });
  const refused = await from('2001:db8:0:3::1');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect(loggedEvents('rate_limited')).toMatchObject([{ limit: 'floodLimitNetwork' }]);
  expect((await from('203.0.113.7')).status).toBe(200);

  // Who is beyond the limit of a place uses up nothing of the network's.
  asked.mockClear();
  limit.mockResolvedValue({ success: false });
  expect((await from('2001:db8:0:3::1')).status).toBe(429);
  expect(asked).not.toHaveBeenCalled();
});

test('the floodLimit counts places, and one that is broken lets through', async () => {
  const limit = vi.fn(async () => ({ success: true }));
  for (const address of ['203.0.113.7', '2001:db8:0:1::1', '2001:db8:0:1::2', '']) {
    const headers = { 'CF-Connecting-IP': address };
    await createClient().get('/api/health/', { headers, bindings: { FLOOD_LIMIT: { limit } } });
  }
  expect(limit.mock.calls).toEqual(
    ['203.0.113.7', '2001:db8:0:1::/64', '2001:db8:0:1::/64', 'unknown'].map((key) => [{ key }]),
  );

  limit.mockRejectedValue(new Error('The limiter is gone'));
  const response = await createClient().get('/api/health/', {
    bindings: { FLOOD_LIMIT: { limit } },
  });
  expect(response.status).toBe(200);
  expect(loggedEvents('limiter_failed')).toMatchObject([{ limit: 'floodLimit' }]);
  const [line = '', ...more] = takeNoise();
  expect(line).toContain('The limiter is gone');
  expect(more).toEqual([]);
});

test('the counters hold numbers under keyed hashes, and nobody’s address or place', async () => {
  fakeResend();
  await db.delete(counters);
  const { email } = await createUser();
  const headers = { 'CF-Connecting-IP': '203.0.113.7' };
  await createClient().post(loginPath, { email }, { headers });
  await createClient().post(signUpPath, person(uniqueEmail()), { headers });
  const { results } = await env.DB.prepare('SELECT * FROM counters').all();

  // Two windows of each address and of the sign-up, two of the place, one of all mails and one of
  // those to the unproven.
  expect(results).toHaveLength(10);
  for (const row of results) {
    expect(row).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      window_start: expect.any(Number),
      count: expect.any(Number),
      expires_at: expect.any(Number),
    });
  }
});

function rate(count: number, seconds: number) {
  return { count, seconds };
}

function person(email: string) {
  return { first_name: 'Grace', last_name: 'Hopper', email };
}

/** A browser that has signed in to an account before, by its link, and is signed out now. */
async function createKnownClient() {
  const user = await createUser();
  const client = createClient();
  const token = await createLink(user);
  expect((await client.post(confirmPath, { token })).status).toBe(200);
  client.cookies.delete('__Host-session');
  client.cookies.delete('__Host-csrftoken');
  return { client, email: user.email };
}

/** An address that is verified, one that is not, and one without an account. */
async function oneOfEach(): Promise<string[]> {
  const [known, unverified] = [await createUser(), await createUser({ emailVerifiedAt: null })];
  return [known.email, unverified.email, uniqueEmail()];
}

/** Everything of an answer but what is new in each: the id of the request and the nonce of the policy. */
async function comparable(response: Response) {
  const id = response.headers.get('X-Request-Id') ?? '';
  return {
    status: response.status,
    headers: [...response.headers].map(([name, value]) => [
      name,
      value
        .replace(id, 'an id')
        .replaceAll(/'nonce-[^']+'/g, 'a nonce')
        // Sealed, so that it tells nothing of what was written.
        .replace(/^__Host-bookmark=[0-9a-f]{150,}/, 'a bookmark'),
    ]),
    text: (await response.text()).replace(id, 'an id'),
  };
}
