import { env } from 'cloudflare:workers';
import { eq, gt } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { apiPaths, serverPaths } from '#paths.ts';
import { expectFailure } from '#support/answers.ts';
import { createClient } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';
import {
  createLink,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { hurry } from '#support/hurry.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';

const refusals = {
  en: 'We couldn’t send the email right now. Please try again in a moment.',
  fr: 'L’e‑mail n’a pas pu être envoyé. Réessayez dans un instant.',
};

beforeEach(async () => {
  await db.delete(counters);
});

/** Each with every try before a request gives up: an accepted email is not sent again. */
const faults = [
  ['Resend is overloaded (429)', [{ status: 429 }, { status: 429 }, { status: 429 }]],
  ['Resend cannot be reached', ['unreachable', 'unreachable', 'unreachable']],
  ['Resend never answers', ['silent', 'silent', 'silent']],
  ['Resend accepts without an id', [{ status: 200, body: {} }]],
] as const;

test.each(faults)(
  'when %s, login and sign-up are refused in plain words and leave nothing; the next ones send one email each',
  async (_what, answers) => {
    hurry();
    const user = await createUser();
    const newcomer = personAt(uniqueEmail());
    const down = fakeResend(...answers, ...answers);
    const client = createClient();
    const login = () => client.post(apiPaths.login, { email: user.email });
    const signUp = (language: string) =>
      client.post(apiPaths.signUp, newcomer, { headers: { 'Accept-Language': language } });
    const code = 'mail_unavailable';
    await expectFailure(await login(), 503, { code, message: refusals.en });
    await expectFailure(await signUp('fr'), 503, { code, message: refusals.fr });
    expect(down.accepted).toEqual([]);
    expect(await db.$count(links, eq(links.userId, user.id))).toBe(0);

    expect((await login()).status).toBe(200);
    expect((await signUp('en')).status).toBe(201);
    expect(await db.$count(users, eq(users.email, newcomer.email))).toBe(1);
    expect(down.accepted).toHaveLength(2);
    for (const mail of down.accepted) {
      expect((await client.post(apiPaths.confirm, { token: tokenIn(mail) })).status).toBe(200);
    }
  },
);

test('an email that Resend accepted without saying so is not sent again with the next attempt', async () => {
  hurry();
  const { email } = await createUser();
  const { attempts } = fakeResend({ status: 500 });
  await createClient().post(apiPaths.login, { email });

  expect(attempts).toHaveLength(2);
  expect(attempts[1]?.idempotencyKey).toBe(attempts[0]?.idempotencyKey);
  expect(attempts[0]?.idempotencyKey).toBeTruthy();
});

test.each([
  ['fails', { status: 500 }],
  ['no longer accepts our key', { status: 401 }],
])(
  'while Resend %s, the limit use of unsent emails is given back: all counters are unchanged',
  async (_what, answer) => {
    hurry();
    vi.useFakeTimers({ toFake: ['Date'] });
    const known = await knownClient();
    const { client: owner, user: other } = await createSignedInClient();
    await owner.get(serverPaths.health);
    const { email } = await createUser();
    const { email: unverified } = await createUser({ emailVerifiedAt: null });
    const [newcomer, moved] = [uniqueEmail(), uniqueEmail()];
    const client = createClient();
    const up = fakeResend();
    const ways = [
      () => client.post(apiPaths.signUp, personAt(newcomer)),
      () => client.post(apiPaths.signUp, personAt(unverified)),
      () => client.post(apiPaths.login, { email }),
      () => client.post(apiPaths.login, { email: unverified }),
      () => known.client.post(apiPaths.login, { email: known.email }),
      () => owner.request('PATCH', apiPaths.account(other.id), { email: moved }),
    ];
    // An existing count that must stay.
    expect((await client.post(apiPaths.login, { email })).status).toBe(200);
    const before = await countersInUse();
    const down = fakeResend(...Array(1_000).fill(answer));
    for (let round = 0; round < 2; round += 1) {
      const responses = await Promise.all(ways.map((ask) => ask()));
      expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(503));
    }
    expect(takeNoise()).toHaveLength(12);
    expect(down.accepted).toEqual([]);
    expect(await countersInUse()).toEqual(before);
    expect(up.accepted).toHaveLength(1);
    const after = fakeResend();
    const again = await Array.fromAsync(ways, async (ask) => (await ask()).status);
    expect(again).toEqual([201, 201, 200, 403, 200, 200]);
    // An address change also notifies the current address.
    expect(after.accepted).toHaveLength(7);
  },
);

test('each parallel attempt gives back its own limit use, and sent emails stay counted', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { email } = await createUser();
  const bindings = { LIMITS: { mails_per_address: ['5/h'] } };
  const login = async () =>
    (await createClient().post(apiPaths.login, { email }, { bindings })).status;
  const { accepted } = fakeResend({ status: 401 }, { status: 401 }, { status: 401 });
  const statuses = await Promise.all(Array.from({ length: 5 }, login));

  expect(statuses.sort()).toEqual([200, 200, 503, 503, 503]);
  expect(takeNoise()).toHaveLength(3);
  const later = await Promise.all(Array.from({ length: 10 }, login));
  expect(later.sort()).toEqual([...Array(3).fill(200), ...Array(7).fill(429)]);
  expect(accepted).toHaveLength(5);
});

test('requesting emails that Resend refuses allows no more of them than a client network has', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { attempts } = fakeResend(...Array(20).fill({ status: 422 }));
  const client = createClient();
  const statuses: number[] = [];
  for (let count = 0; count < 15; count += 1) {
    statuses.push((await client.post(apiPaths.signUp, personAt(uniqueEmail()))).status);
  }

  expect(statuses).toEqual([...Array(10).fill(503), ...Array(5).fill(429)]);
  expect(takeNoise()).toHaveLength(10);
  expect(attempts).toHaveLength(10);
  // All other users keep theirs.
  const { results } = await env.DB.prepare('SELECT max(count) AS most FROM counters').all();
  expect(results).toEqual([{ most: 10 }]);
});

/** The counts of all buckets that are not empty. */
async function countersInUse(): Promise<Record<string, number>> {
  const rows = await db.select().from(counters).where(gt(counters.count, 0));
  return Object.fromEntries(
    rows.map(({ key, windowStart, count }) => [`${key} ${windowStart.getTime()}`, count]),
  );
}

/** A browser that has signed in to an account before and is signed out. */
async function knownClient() {
  const user = await createUser();
  const client = createClient();
  await client.post(apiPaths.confirm, { token: await createLink(user) });
  client.cookies.delete('__Host-session');
  client.cookies.delete('__Host-csrftoken');
  return { client, email: user.email };
}

function personAt(email: string) {
  return { first_name: 'Grace', last_name: 'Hopper', email };
}
