import { expect, test } from 'vitest';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { createUser, uniqueEmail } from '#support/factories.ts';
import { codeIn, fakeResend, tokenIn } from '#support/resend.ts';
import {
  confirm,
  loginPath,
  newcomer,
  requestLogin,
  signUpPath,
  statusesOf,
} from '../identity/support.ts';
import { comparable, createKnownClient, googlePath, startOwnDays } from './support.ts';

startOwnDays();

test.each([
  ['sign-up', 'sign_ups_per_address', (email: string) => [signUpPath, newcomer(email)]],
  ['login', 'mails_per_address', (email: string) => [loginPath, { email }]],
] as const)(
  'a refusal of %s is the same for known, unverified and unknown addresses',
  async (_what, limit, requestOf) => {
    fakeResend();
    const bindings = { LIMITS: { [limit]: ['1/15m'] } };
    const refusals: Response[] = [];
    for (const email of await oneOfEach()) {
      const [path, input] = requestOf(email) as [string, object];
      await createClient().post(path, input, { bindings });
      refusals.push(await createClient().post(path, input, { bindings }));
    }

    await expectTheSame(refusals);
  },
);

test('strangers who try as many codes of an address as they can leave tries to its owner', async () => {
  const { accepted } = fakeResend();
  const { client, email } = await createKnownClient();
  const guess = (browser: Client) => confirm({ code: 'wrong' }, browser);
  const strangers = Array.from({ length: 4 }, createClient);
  const statuses = await statusesOf(strangers, async (stranger) => {
    const answer = await requestLogin(email, stranger);
    await statusesOf(Array<Client>(5).fill(stranger), guess);
    return answer;
  });
  expect(statuses).toEqual([200, 200, 200, 429]);
  await requestLogin(email, client);
  expect(await statusesOf(Array<Client>(4).fill(client), guess)).toEqual(Array(4).fill(400));

  expect((await confirm({ code: codeIn(accepted.at(-1)) }, client)).status).toBe(200);
  expect(loggedEvents('code_refused').filter(({ tries }) => tries !== undefined)).toHaveLength(19);
});

test.each([
  ['has used up its emails', 'mails_per_ip', 200, async () => (await createUser()).email],
  ['has tried too many unknown addresses', 'unknown_addresses_per_ip', 404, uniqueEmail],
] as const)(
  'a client network that %s learns nothing from further requests',
  async (_what, limit, passes, emailOf) => {
    const { attempts } = fakeResend();
    const bindings = { LIMITS: { [limit]: ['2/h'] } };
    const addresses = await oneOfEach();
    const client = createClient();
    for (const email of [await emailOf(), await emailOf()]) {
      expect((await requestLogin(email, client, { bindings })).status).toBe(passes);
    }
    const refusals: Response[] = [];
    for (const email of addresses) {
      refusals.push(await client.post(loginPath, { email }, { bindings }));
    }

    await expectTheSame(refusals);
    expect(attempts).toHaveLength(passes === 200 ? 2 : 0);
    const [email] = addresses;
    expect((await requestLogin(email ?? '', createClient(), { bindings })).status).toBe(200);
  },
);

test('when all networks together have tried too many unknown addresses, strangers learn nothing, and known people get in', async () => {
  const { accepted } = fakeResend();
  const { client: knownClient, email: knownEmail } = await createKnownClient();
  const bindings = { LIMITS: { unknown_addresses: ['2/h'], mails_per_ip: ['2/h'] } };
  const login = (client: Client, email: string) => client.post(loginPath, { email }, { bindings });
  for (const stranger of [createClient(), createClient()]) {
    expect((await login(stranger, uniqueEmail())).status).toBe(404);
  }
  const refusals: Response[] = [];
  for (const email of [...(await oneOfEach()), knownEmail]) {
    refusals.push(await login(createClient(), email));
  }

  await expectTheSame(refusals);
  expect(accepted).toHaveLength(0);
  expect((await login(knownClient, knownEmail)).status).toBe(200);
  expect((await login(knownClient, knownEmail)).status).toBe(200);
  // The network's own requests count anyway.
  expect((await login(knownClient, knownEmail)).status).toBe(429);
  expect(accepted.map(({ to }) => to)).toEqual([knownEmail, knownEmail]);
  expect((await confirm({ token: tokenIn(accepted.at(-1)) }, knownClient)).status).toBe(200);
  expect((await createClient().post(googlePath)).status).toBe(200);
});

/** A verified address, an unverified one, and one without an account. */
async function oneOfEach(): Promise<string[]> {
  const [known, unverified] = [await createUser(), await createUser({ emailVerifiedAt: null })];
  return [known.email, unverified.email, uniqueEmail()];
}

async function expectTheSame(refusals: Response[]): Promise<void> {
  const [first, ...others] = await Promise.all(refusals.map(comparable));
  expect(first).toMatchObject({ status: 429 });
  expect(others).toEqual(others.map(() => first));
}
