import { expect, test } from 'vitest';
import { createLog } from '#observability/log.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, written } from '#support/console.ts';
import {
  browserWith,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';

const auth = '/api/accounts/auth';
const account = (id: string) => `/api/accounts/${id}/`;
const lastSeenAt = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);

type User = Awaited<ReturnType<typeof createUser>>;

type Answered = { response: Response; userId: string | null };

/** A request of someone who is signed in. */
async function bySomeone(ask: (client: Client, id: string) => Promise<Response>) {
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  return { response: await ask(client, user.id), userId: user.id };
}

/** A request with a token of a user, from a browser in which no one is signed in. */
async function byToken(path: string, tokenOf: (user: User) => Promise<string>) {
  const user = await createUser();
  const input = { token: await tokenOf(user) };
  return { response: await createClient().post(`${auth}${path}`, input), userId: user.id };
}

/** What happens, by the request whose events are checked. */
const flows: [what: string, run: () => Promise<Answered>, ...events: string[]][] = [
  [
    'a sign-up',
    async () => {
      const input = { first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail() };
      const response = await createClient().post(`${auth}/signup/`, input);
      return { response, userId: expect.any(String) };
    },
    'link_requested',
    'signed_up',
  ],
  [
    'a login',
    async () => {
      const { id, email } = await createUser();
      return { response: await createClient().post(`${auth}/login/`, { email }), userId: id };
    },
    'link_requested',
  ],
  ['a used link', () => byToken('/confirm/', createLink), 'link_spent'],
  [
    'a link that does not work',
    async () => ({ ...(await byToken('/confirm/', async () => 'f'.repeat(64))), userId: null }),
    'link_refused',
  ],
  [
    'the end of a session',
    () => bySomeone((client) => client.post(`${auth}/logout/`)),
    'logged_out',
  ],
  [
    'an expired session',
    async () => {
      const client = browserWith(await createSession((await createUser()).id, { lastSeenAt }));
      return { response: await client.get(`${auth}/user/`), userId: null };
    },
    'session_refused',
  ],
  [
    'a forged request',
    async () => {
      const headers = { Origin: 'https://evil.test' };
      const response = await createClient().post(`${auth}/logout/`, undefined, { headers });
      return { response, userId: null };
    },
    'csrf_refused',
  ],
  [
    'an account change',
    () => bySomeone((client, id) => client.request('PATCH', account(id), { language: 'fr' })),
    'account_changed',
  ],
  [
    'a new address',
    () => bySomeone((client, id) => client.request('PATCH', account(id), { email: uniqueEmail() })),
    'link_requested',
    'address_change_requested',
  ],
];

test.each(flows)(
  '%s is logged once, with its request id and account id',
  async (_what, run, ...events) => {
    fakeResend();
    const { response, userId } = await run();
    const requestId = response.headers.get('X-Request-Id');
    const ofRequest = loggedEvents().filter(({ request_id }) => request_id === requestId);

    expect(ofRequest.map(({ event }) => event)).toEqual(events);
    expect(ofRequest.map(({ user_id }) => user_id)).toEqual(events.map(() => userId));
  },
);

test('a request cannot write its own line into the log', async () => {
  fakeResend();
  const forged = 'x\n{"event":"link_spent","request_id":"forged"}\u001b[2J';
  const client = createClient();
  const headers = { 'User-Agent': 'x', 'X-Request-Id': 'forged', 'Idempotency-Key': 'x' };
  await client.post(
    `${auth}/signup/`,
    { first_name: forged, last_name: forged, email: forged },
    { headers },
  );
  await client.post(`${auth}/confirm/`, { token: forged }, { headers });
  await client.get(`/api/${encodeURIComponent(forged)}/`, { headers });

  expect(written.length).toBeGreaterThan(0);
  expect(written.join('')).not.toContain('forged');
});

test('an event is one line of JSON with any content', () => {
  const reason = 'a\n{"event":"link_spent"}\u001b[31m';
  createLog('an-id')('google_refused', { reason });

  expect(written).toHaveLength(1);
  expect(written[0]).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ event: 'google_refused', reason });
});
