import { expect, test } from 'vitest';
import { createClient } from '#support/client.ts';
import { loggedEvents, written } from '#support/console.ts';
import {
  createChange,
  createLink,
  createRestore,
  createSession,
  createSignedInClient,
  createUser,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';

const auth = '/api/accounts/auth';

type Flow = {
  /** The request whose events are checked; returns the id of their user, or null. */
  run: () => Promise<{ response: Response; userId: string | null }>;
  events: string[];
};

const flows: Record<string, Flow> = {
  'a sign-up': {
    run: async () => {
      const input = { first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail() };
      const response = await createClient().post(`${auth}/signup/`, input);
      return { response, userId: expect.any(String) };
    },
    events: ['link_requested', 'signed_up'],
  },
  'a login': {
    run: async () => {
      const { id, email } = await createUser();
      return { response: await createClient().post(`${auth}/login/`, { email }), userId: id };
    },
    events: ['link_requested'],
  },
  'a used link': {
    run: async () => {
      const user = await createUser();
      const token = await createLink(user);
      return {
        response: await createClient().post(`${auth}/confirm/`, { token }),
        userId: user.id,
      };
    },
    events: ['link_spent'],
  },
  'a link that does not work': {
    run: async () => ({
      response: await createClient().post(`${auth}/confirm/`, { token: 'f'.repeat(64) }),
      userId: null,
    }),
    events: ['link_refused'],
  },
  'the end of a session': {
    run: async () => {
      const { client, user } = await createSignedInClient();
      return { response: await client.post(`${auth}/logout/`), userId: user.id };
    },
    events: ['logged_out'],
  },
  'an expired session': {
    run: async () => {
      const { id } = await createUser();
      const client = createClient();
      const long = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
      client.cookies.set('__Host-session', await createSession(id, { lastSeenAt: long }));
      return { response: await client.get(`${auth}/user/`), userId: null };
    },
    events: ['session_refused'],
  },
  'the end of other sessions': {
    run: async () => {
      const { client, user } = await createSignedInClient();
      await client.get('/api/health/');
      return {
        response: await client.request('DELETE', `${auth}/sessions/others/`),
        userId: user.id,
      };
    },
    events: ['sessions_ended'],
  },
  'a forged request': {
    run: async () => {
      const headers = { Origin: 'https://evil.test' };
      const response = await createClient().post(`${auth}/logout/`, undefined, { headers });
      return { response, userId: null };
    },
    events: ['csrf_refused'],
  },
  'a request over the limit': {
    run: async () => {
      const bindings = { LIMITS: { google_starts_per_ip: ['1/d'] } };
      const client = createClient();
      await client.post(`${auth}/google/login/`, undefined, { bindings });
      const response = await client.post(`${auth}/google/login/`, undefined, { bindings });
      return { response, userId: null };
    },
    events: ['rate_limited'],
  },
  'an account change': {
    run: async () => {
      const { client, user } = await createSignedInClient();
      await client.get('/api/health/');
      const response = await client.request('PATCH', `/api/accounts/${user.id}/`, {
        language: 'fr',
      });
      return { response, userId: user.id };
    },
    events: ['account_changed'],
  },
  'a new address': {
    run: async () => {
      const { client, user } = await createSignedInClient();
      await client.get('/api/health/');
      const input = { email: uniqueEmail() };
      const response = await client.request('PATCH', `/api/accounts/${user.id}/`, input);
      return { response, userId: user.id };
    },
    events: ['link_requested', 'address_change_requested'],
  },
  'a click on the link to a new address': {
    run: async () => {
      const user = await createUser();
      const { token } = await createChange(user);
      return {
        response: await createClient().post(`${auth}/confirm/`, { token }),
        userId: user.id,
      };
    },
    events: ['link_spent', 'address_changed'],
  },
  'a click that stops a change': {
    run: async () => {
      const user = await createUser();
      const { stopToken: token } = await createChange(user);
      return {
        response: await createClient().post(`${auth}/undo-address-change/`, { token }),
        userId: user.id,
      };
    },
    events: ['address_change_stopped'],
  },
  'a click that restores an account': {
    run: async () => {
      fakeResend();
      const user = await createUser();
      const token = await createRestore(user);
      return {
        response: await createClient().post(`${auth}/undo-address-change/`, { token }),
        userId: user.id,
      };
    },
    events: ['address_restored'],
  },
  'a deletion': {
    run: async () => {
      const { client, user } = await createSignedInClient();
      await client.get('/api/health/');
      const response = await client.request('DELETE', `/api/accounts/${user.id}/`);
      return { response, userId: user.id };
    },
    events: ['account_deleted'],
  },
  'a deletion without a recent login': {
    run: async () => {
      const { id } = await createUser();
      const client = createClient();
      const createdAt = new Date(Date.now() - 16 * 60 * 1000);
      client.cookies.set('__Host-session', await createSession(id, { createdAt }));
      await client.get('/api/health/');
      return { response: await client.request('DELETE', `/api/accounts/${id}/`), userId: id };
    },
    events: ['proof_demanded'],
  },
  'an export': {
    run: async () => {
      const { client, user } = await createSignedInClient();
      return { response: await client.get(`/api/accounts/${user.id}/export/`), userId: user.id };
    },
    events: ['account_exported'],
  },
};

test.each(Object.entries(flows))(
  '%s is logged once, with its request id and account id',
  async (_what, { run, events }) => {
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

test('an event is logged as JSON with any content', async () => {
  const { createLog } = await import('#observability/log.ts');
  createLog('an-id')('google_refused', { reason: 'a\n{"event":"link_spent"}\u001b[31m' });

  expect(written).toHaveLength(1);
  expect(written[0]).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(written[0] ?? '')).toEqual({
    event: 'google_refused',
    request_id: 'an-id',
    user_id: null,
    reason: 'a\n{"event":"link_spent"}\u001b[31m',
  });
});
