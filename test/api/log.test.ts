import { expect, test } from 'vitest';
import { createLog } from '#observability/log.ts';
import { apiPaths } from '#paths.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, written } from '#support/console.ts';
import { day } from '#support/days.ts';
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
const french = { language: 'fr' };
const expired = { lastSeenAt: new Date(Date.now() - 31 * day) };

type Answered = [response: Response, userId: string | null];

/** A request of someone who is signed in. */
async function bySomeone(ask: (client: Client, id: string) => Promise<Response>) {
  const { client, user } = await createSignedInClient();
  await client.get('/api/health/');
  return [await ask(client, user.id), user.id] satisfies Answered;
}

/** What happens, by the request whose events are checked. */
const flows: Record<string, [events: string[], run: () => Promise<Answered>]> = {
  'a sign-up': [
    ['link_requested', 'signed_up'],
    async () => {
      const input = { first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail() };
      return [await createClient().post(`${auth}/signup/`, input), expect.any(String)];
    },
  ],
  'a login': [
    ['link_requested'],
    async () => {
      const { id, email } = await createUser();
      return [await createClient().post(`${auth}/login/`, { email }), id];
    },
  ],
  'a used link': [
    ['link_spent'],
    async () => {
      const user = await createUser();
      const input = { token: await createLink(user) };
      return [await createClient().post(`${auth}/confirm/`, input), user.id];
    },
  ],
  'a link that does not work': [
    ['link_refused'],
    async () => [await createClient().post(`${auth}/confirm/`, { token: 'f'.repeat(64) }), null],
  ],
  'the end of a session': [
    ['logged_out'],
    () => bySomeone((client) => client.post(`${auth}/logout/`)),
  ],
  'an expired session': [
    ['session_refused'],
    async () => {
      const token = await createSession((await createUser()).id, expired);
      return [await browserWith(token).get(`${auth}/user/`), null];
    },
  ],
  'a forged request': [
    ['csrf_refused'],
    async () => {
      const headers = { Origin: 'https://evil.test' };
      return [await createClient().post(`${auth}/logout/`, undefined, { headers }), null];
    },
  ],
  'an account change': [
    ['account_changed'],
    () => bySomeone((client, id) => client.request('PATCH', apiPaths.account(id), french)),
  ],
  'a new address': [
    ['link_requested', 'address_change_requested'],
    () =>
      bySomeone((client, id) =>
        client.request('PATCH', apiPaths.account(id), { email: uniqueEmail() }),
      ),
  ],
};

test.each(Object.entries(flows))(
  '%s is logged once, with its request id and account id',
  async (_what, [events, run]) => {
    fakeResend();
    const [response, userId] = await run();
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
  const names = { first_name: forged, last_name: forged };
  await client.post(`${auth}/signup/`, { ...names, email: forged }, { headers });
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
