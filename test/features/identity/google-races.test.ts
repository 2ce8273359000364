import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { beforeWriting } from '#support/database.ts';
import { createCourseRow, createLink, createUser, db } from '#support/factories.ts';
import { type Claims, callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';
import { fakeResend } from '#support/resend.ts';
import { confirmPath, signUpPath, userPath } from './paths.ts';

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

    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(302));
    expect(responses.map(({ headers }) => headers.get('Location'))).toEqual(Array(10).fill('/'));
    const rows = await db.select().from(users).where(eq(users.emailCanonical, person.email));
    expect(rows).toMatchObject([{ googleSub: person.sub, emailVerifiedAt: expect.any(Date) }]);
    const outcomes = loggedEvents('google_signed_in').map((event) => event['outcome']);
    expect(outcomes).toContain(outcome);
    const accounts = await Promise.all(attempts.map(({ client }) => client.get(userPath)));
    expect(accounts.map(({ status }) => status)).toEqual(Array(10).fill(200));
  },
);

test('sign-up, Google and, for an older account, its verification link end in one verified account', async () => {
  fakeResend();
  const google = fakeGoogle();
  for (let round = 1; round <= 16; round += 1) {
    const person = googlePerson();
    const [newcomer, comer, reader] = [createClient(), createClient(), createClient()];
    let token = 'none';
    if (round % 2 === 0) {
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
    const rows = await db.select().from(users).where(eq(users.emailCanonical, person.email));
    expect(rows).toMatchObject([{ emailVerifiedAt: expect.any(Date), googleSub: person.sub }]);
    expect(rows[0]?.firstName).not.toBe('Evil');
  }
  const { results } = await env.DB.prepare('PRAGMA foreign_key_check').all();
  expect(results).toEqual([]);
});

test('of two Google identities for one address the first gets it, the other is refused', async () => {
  const google = fakeGoogle();
  for (let round = 1; round <= 4; round += 1) {
    const person = googlePerson();
    await createUser({ email: person.email });
    const two = [person, googlePerson({ email: person.email })];
    const responses = await Promise.all(two.map((one) => google.signIn(createClient(), one)));

    expect(responses.map(({ headers }) => headers.get('Location')).sort()).toEqual([
      '/',
      '/login?error=auth_failed',
    ]);
    const rows = await db.select().from(users).where(eq(users.emailCanonical, person.email));
    expect(rows).toHaveLength(1);
  }
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
  expect(await db.select().from(courses).where(eq(courses.ownerId, user.id))).toHaveLength(1);
  expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toHaveLength(2);
});

test('an account that changes its address between reading and writing is not linked', async () => {
  const person = googlePerson();
  const user = await createUser({ email: person.email });
  const moved = { email: 'moved@example.com', emailCanonical: 'moved@example.com' };
  const { response } = await signInDuring(fakeGoogle(), person, async () => {
    await db.update(users).set(moved).where(eq(users.id, user.id));
  });

  expect(response.headers.get('Location')).toBe('/');
  const row = await db.select().from(users).where(eq(users.id, user.id)).get();
  expect(row).toMatchObject({ ...moved, googleSub: null });
  expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
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
