import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '#support/client.ts';
import { browserWith, createSession, createUser } from '#support/factories.ts';
import { callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';

const loginPath = '/api/accounts/auth/login/';
const confirmPath = '/api/accounts/auth/confirm/';
const userPath = '/api/accounts/auth/user/';

const day = 24 * 60 * 60 * 1000;
const jumps = [
  ['ahead', day],
  ['back', -day],
] as const;
const now = Date.UTC(2031, 5, 15, 12);

/** Email limits are tested elsewhere: features/limits. */
const bindings = { LIMITS: { mails_per_address: [], mails_per_ip: [] } };

afterEach(() => {
  vi.useRealTimers();
});

/** Sets the worker's clock from here on. */
function setClock(time: number): void {
  vi.useFakeTimers({ now: time, toFake: ['Date'] });
}

async function exportBy(client: ReturnType<typeof createClient>, userId: string) {
  return (await client.get(`/api/accounts/${userId}/export/`)).status;
}

test.each(jumps)(
  'a clock that jumps a day %s ends no session; links and recent logins are invalid, and a new link works',
  async (_where, jump) => {
    const { accepted } = fakeResend();
    setClock(now);
    const user = await createUser();
    const client = createClient();
    await client.post(loginPath, { email: user.email }, { bindings });
    await client.post(confirmPath, { token: tokenIn(accepted[0]) });
    await client.post(loginPath, { email: user.email }, { bindings });
    expect(await exportBy(client, user.id)).toBe(200);

    setClock(now + jump);
    expect((await client.get(userPath)).status).toBe(200);
    expect(await exportBy(client, user.id)).toBe(403);
    const late = await client.post(confirmPath, { token: tokenIn(accepted[1]) });
    expect(await late.json()).toMatchObject({ code: 'link_invalid' });

    await client.post(loginPath, { email: user.email }, { bindings });
    expect((await client.post(confirmPath, { token: tokenIn(accepted[2]) })).status).toBe(200);
    expect(await exportBy(client, user.id)).toBe(200);
  },
);

test.each(jumps)(
  'a clock that jumps a day %s invalidates Google sign-ins in progress, and the next one works',
  async (_where, jump) => {
    const google = fakeGoogle();
    setClock(now);
    const client = createClient();
    const url = await startSignIn(client);
    const person = googlePerson();

    setClock(now + jump);
    const response = await client.get(callbackOf(url, google.codeFor(url, person)));
    expect(response.headers.get('Location')).toBe('/login?error=invalid_state');
    expect(google.requests).toEqual([]);
    expect((await google.signIn(client, person)).headers.get('Location')).toBe('/');
  },
);

test('clocks that are half a minute apart change nothing', async () => {
  const { accepted } = fakeResend();
  const google = fakeGoogle();
  setClock(now);
  const user = await createUser();
  const client = createClient();
  await client.post(loginPath, { email: user.email }, { bindings });
  const browser = createClient();
  const person = googlePerson();
  const begun = await startSignIn(browser);

  setClock(now - 30_000);
  expect((await client.post(confirmPath, { token: tokenIn(accepted[0]) })).status).toBe(200);
  const response = await browser.get(callbackOf(begun, google.codeFor(begun, person)));
  expect(response.headers.get('Location')).toBe('/');
  const session = await createSession(user.id, { createdAt: new Date(now) });
  expect(await exportBy(browserWith(session), user.id)).toBe(200);
});

test.each(jumps)(
  'a clock that jumps a day %s keeps CSRF tokens and database bookmarks valid',
  async (_where, jump) => {
    setClock(now);
    const user = await createUser();
    const client = browserWith(await createSession(user.id));
    const course = { name: 'Biology 101', course_type: 'cohort' };
    expect((await client.post('/api/courses/', course)).status).toBe(201);

    setClock(now + jump);
    expect((await client.post('/api/courses/', { ...course, name: 'Chemistry' })).status).toBe(201);
    const listed = await (await client.get('/api/courses/')).json<unknown[]>();
    expect(listed).toHaveLength(2);
  },
);
