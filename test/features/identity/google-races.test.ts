import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { beforeWriting } from '#support/database.ts';
import { createCourseRow, createLink, createUser, db } from '#support/factories.ts';
import { type Claims, callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';
import { fakeResend } from '#support/resend.ts';
import { userRow } from '#support/rows.ts';
import { confirmPath, signUpPath, userPath } from './paths.ts';
import { accessTo } from './support.ts';

test.each([
  ['no one', 'new'],
  ['a verified account', 'linked'],
  ['an unverified account', 'adopted'],
])(
  '10 parallel sign-ins of one person, whose address %s has, all end in one account',
  async (has, outcome) => {
    const google = fakeGoogle();
    const person = googlePerson();
    if (has !== 'no one') {
      const emailVerifiedAt = has === 'a verified account' ? new Date() : null;
      await createUser({ email: person.email, emailVerifiedAt });
    }
    const attempts = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = createClient();
        const url = await startSignIn(client);
        return { client, callback: callbackOf(url, google.codeFor(url, person)) };
      }),
    );
    const responses = await Promise.all(
      attempts.map(({ client, callback }) => client.get(callback)),
    );

    expect(responses.map(({ headers }) => headers.get('Location'))).toEqual(Array(10).fill('/'));
    expect(await rowsOf(person)).toMatchObject([
      { googleSub: person.sub, emailVerifiedAt: expect.any(Date) },
    ]);
    const outcomes = loggedEvents('google_signed_in').map((event) => event['outcome']);
    expect(outcomes).toContain(outcome);
    const accounts = await Promise.all(attempts.map(({ client }) => client.get(userPath)));
    expect(accounts.map(({ status }) => status)).toEqual(Array(10).fill(200));
  },
);

test.each([
  ['the account', false],
  ['the account and its verification link', true],
])('sign-up and Google at once, with %s, end in one verified account', async (_what, isOlder) => {
  fakeResend();
  const google = fakeGoogle();
  // At night more often, because the order is left to chance.
  for (let round = 1; round <= (env.EVERY_CASE === '1' ? 20 : 3); round += 1) {
    const person = googlePerson();
    const [newcomer, comer, reader] = [createClient(), createClient(), createClient()];
    let token = 'none';
    if (isOlder) {
      const user = await createUser({ email: person.email, emailVerifiedAt: null });
      token = await createLink(user, { purpose: 'verification' });
    }
    const url = await startSignIn(comer);
    await Promise.all([newcomer.get('/api/health/'), reader.get('/api/health/')]);
    const input = { first_name: 'Evil', last_name: 'Name', email: person.email };
    const [signedUp, signedIn, confirmed] = await Promise.all([
      newcomer.post(signUpPath, input),
      comer.get(callbackOf(url, google.codeFor(url, person))),
      reader.post(confirmPath, { token }),
    ]);

    expect([201, 400]).toContain(signedUp.status);
    expect([200, 400]).toContain(confirmed.status);
    expect(signedIn.headers.get('Location')).toBe('/');
    expect((await comer.get(userPath)).status).toBe(200);
    const rows = await rowsOf(person);
    expect(rows).toMatchObject([{ emailVerifiedAt: expect.any(Date), googleSub: person.sub }]);
    expect(rows[0]?.firstName).not.toBe('Evil');
  }
});

test('of two Google identities for one address the first gets it, the other is refused', async () => {
  const google = fakeGoogle();
  const person = googlePerson();
  await createUser({ email: person.email });
  const two = [person, googlePerson({ email: person.email })];
  const responses = await Promise.all(two.map((one) => google.signIn(createClient(), one)));

  const locations = responses.map(({ headers }) => headers.get('Location'));
  expect(locations.sort()).toEqual(['/', '/login?error=auth_failed']);
  expect(await rowsOf(person)).toHaveLength(1);
});

test('a sign-in too late to adopt an account takes nothing from it', async () => {
  const google = fakeGoogle();
  const person = googlePerson();
  const user = await createUser({ email: person.email, emailVerifiedAt: null });
  const { response } = await signInDuring(google, person, async () => {
    await google.signIn(createClient(), person);
    await createCourseRow(user.id);
  });

  expect(response.headers.get('Location')).toBe('/');
  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(1);
  expect(await accessTo(user.id)).toEqual([2, 0, 0]);
});

test('an account that changes its address between reading and writing is not linked', async () => {
  const person = googlePerson();
  const user = await createUser({ email: person.email });
  const moved = { email: 'moved@example.com', emailCanonical: 'moved@example.com' };
  const { response } = await signInDuring(fakeGoogle(), person, async () => {
    await db.update(users).set(moved).where(eq(users.id, user.id));
  });

  expect(response.headers.get('Location')).toBe('/');
  expect(await userRow(user.id)).toMatchObject({ ...moved, googleSub: null });
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
});

test('an account that is deleted between reading and writing is created again', async () => {
  const person = googlePerson();
  const user = await createUser({ email: person.email, googleSub: person.sub });
  const { client } = await signInDuring(fakeGoogle(), person, async () => {
    await db.delete(users).where(eq(users.id, user.id));
  });

  const { id } = await (await client.get(userPath)).json<{ id: string }>();
  expect(id).not.toBe(user.id);
  expect(loggedEvents('google_signed_in')).toMatchObject([{ outcome: 'new', user_id: id }]);
});

function rowsOf({ email }: Claims) {
  return db
    .select()
    .from(users)
    .where(eq(users.emailCanonical, String(email)));
}

/** A sign-in during which something else happens, after it has read and before it writes. */
async function signInDuring(
  google: ReturnType<typeof fakeGoogle>,
  person: Claims,
  meanwhile: () => Promise<void>,
) {
  const client = createClient();
  const url = await startSignIn(client);
  const bindings = { DB: beforeWriting(meanwhile) };
  const response = await client.get(callbackOf(url, google.codeFor(url, person)), { bindings });
  return { client, response };
}
