import { expect, test, vi } from 'vitest';
import { apiPaths } from '#paths.ts';
import { answerOf, refusal } from '#support/answers.ts';
import { type Client, createClient } from '#support/client.ts';
import { day } from '#support/days.ts';
import { browserWith, createSession, createUser } from '#support/factories.ts';
import { callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';

const jumps = [
  ['ahead', day],
  ['back', -day],
] as const;
const now = Date.UTC(2031, 5, 15, 12);

/** Email limits are tested elsewhere: features/limits. */
const bindings = { LIMITS: { mails_per_address: [], mails_per_ip: [] } };

/** Sets the worker's clock from here on. */
function setClock(time: number): void {
  vi.useFakeTimers({ now: time, toFake: ['Date'] });
}

async function exportBy(client: Client, userId: string) {
  return (await client.get(apiPaths.accountExport(userId))).status;
}

test.each(jumps)(
  'a clock that jumps a day %s ends no session; links and recent logins are invalid, and a new link works',
  async (_where, jump) => {
    const { accepted } = fakeResend();
    setClock(now);
    const { id, email } = await createUser();
    const client = createClient();
    const login = () => client.post(apiPaths.login, { email }, { bindings });
    const confirm = () => client.post(apiPaths.confirm, { token: tokenIn(accepted.at(-1)) });
    await login();
    await confirm();
    await login();
    expect(await exportBy(client, id)).toBe(200);

    setClock(now + jump);
    expect((await client.get('/api/accounts/auth/user/')).status).toBe(200);
    expect(await exportBy(client, id)).toBe(403);
    expect(await answerOf(confirm())).toMatchObject(refusal(400, 'link_invalid'));

    await login();
    expect((await confirm()).status).toBe(200);
    expect(await exportBy(client, id)).toBe(200);
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
  const [client, browser] = [createClient(), createClient()];
  await client.post(apiPaths.login, { email: user.email }, { bindings });
  const person = googlePerson();
  const begun = await startSignIn(browser);

  setClock(now - 30_000);
  const token = tokenIn(accepted[0]);
  expect((await client.post(apiPaths.confirm, { token })).status).toBe(200);
  const response = await browser.get(callbackOf(begun, google.codeFor(begun, person)));
  expect(response.headers.get('Location')).toBe('/');
  const session = await createSession(user.id, { createdAt: new Date(now) });
  expect(await exportBy(browserWith(session), user.id)).toBe(200);
});

test.each(jumps)(
  'a clock that jumps a day %s keeps CSRF tokens and database bookmarks valid',
  async (_where, jump) => {
    setClock(now);
    const client = browserWith(await createSession((await createUser()).id));
    const create = async (name: string) =>
      (await client.post(apiPaths.courses, { name, course_type: 'cohort' })).status;
    expect(await create('Biology 101')).toBe(201);

    setClock(now + jump);
    expect(await create('Chemistry')).toBe(201);
    expect((await answerOf(client.get(apiPaths.courses))).body).toHaveLength(2);
  },
);
