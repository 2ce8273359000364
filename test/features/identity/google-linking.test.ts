import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import {
  browserWith,
  createCourseRow,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { type Claims, fakeGoogle, googlePerson } from '#support/google.ts';
import { everything } from '#support/rows.ts';
import { idOf, uniqueDigits, userBySub } from './google-users.ts';
import { confirmPath, userPath } from './paths.ts';

test('the same person gets the same account, even if the address that Google has for them now is someone else’s', async () => {
  const google = fakeGoogle();
  const person = googlePerson({ picture: 'https://lh3.googleusercontent.com/a/old' });
  await google.signIn(createClient(), person);
  const before = await userBySub(person.sub);
  const picture = 'https://lh3.googleusercontent.com/a/new';
  const { email } = await createUser();
  const successor = await userBy(email);
  const again = googlePerson({ sub: person.sub, email, given_name: 'Amazing', picture });
  const client = createClient();
  const response = await google.signIn(client, again, { headers: { 'Accept-Language': 'fr' } });

  expect(response.headers.get('Location')).toBe('/');
  expect(await (await client.get(userPath)).json()).toMatchObject({ id: before?.id });
  expect(await userBySub(person.sub)).toEqual({ ...before, avatarUrl: picture });
  expect(await userBy(email)).toEqual(successor);
  expect(loggedEvents('google_signed_in')).toMatchObject([
    { outcome: 'new', user_id: before?.id },
    { outcome: 'known', user_id: before?.id },
  ]);
});

test('another Google identity does not get an account by its address', async () => {
  const google = fakeGoogle();
  const owner = googlePerson();
  const user = await createUser({ email: owner.email, googleSub: owner.sub });
  const before = await everything();
  const client = createClient();
  const response = await google.signIn(client, googlePerson({ email: owner.email }));

  expect(response.headers.get('Location')).toBe('/login?error=auth_failed');
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(await everything()).toEqual(before);
  expect(loggedEvents('google_signed_in', 'google_refused')).toMatchObject([
    { event: 'google_refused', reason: 'other_google_account', user_id: user.id },
  ]);
});

test.each<[string, (serial: string) => Claims]>([
  ['a Gmail address', (serial) => ({ email: `Linked.${serial}@GMail.com` })],
  ['an address at Gmail’s other name', (serial) => ({ email: `linked.${serial}@googlemail.com` })],
  [
    'a Workspace address',
    (serial) => ({ email: `linked.${serial}@example.com`, hd: 'example.com' }),
  ],
])('a verified account with %s is linked and otherwise unchanged', async (_what, claims) => {
  const google = fakeGoogle();
  const person = googlePerson(claims(uniqueDigits()));
  const { client: elsewhere, user } = await createSignedInClient({
    email: String(person.email).toLowerCase(),
  });
  const before = await userBy(user.email);
  const link = await createLink(user);
  const client = createClient();
  const response = await google.signIn(client, person, { headers: { 'Accept-Language': 'fr' } });

  expect(response.headers.get('Location')).toBe('/');
  expect(await userBy(user.email)).toEqual({ ...before, googleSub: person.sub });
  expect((await client.get(userPath)).status).toBe(200);
  expect((await elsewhere.get(userPath)).status).toBe(200);
  expect((await createClient().post(confirmPath, { token: link })).status).toBe(200);
  expect(loggedEvents('google_signed_in', 'google_refused')).toMatchObject([
    { event: 'google_signed_in', outcome: 'linked', user_id: user.id },
  ]);
});

test.each<[string, Claims, Date | null]>([
  ['a verified account elsewhere', {}, new Date()],
  ['a verified account with an empty hd', { hd: '' }, new Date()],
  ['an account at notgmail.com', { email: 'grace@notgmail.com' }, new Date()],
  ['an account at a subdomain of gmail.com', { email: 'grace@mail.gmail.com' }, new Date()],
  ['an unverified account elsewhere', {}, null],
])('%s is not linked by Google’s word', async (_what, claims, emailVerifiedAt) => {
  const google = fakeGoogle();
  const person = googlePerson({ email: uniqueEmail(), ...claims });
  const user = await createUser({ email: person.email, emailVerifiedAt });
  await createSession(user.id);
  const before = await everything();
  const client = createClient();
  const response = await google.signIn(client, person);

  expect(response.headers.get('Location')).toBe('/login?error=email_not_verified');
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(await everything()).toEqual(before);
  expect(loggedEvents('google_signed_in', 'google_refused')).toMatchObject([
    { event: 'google_refused', reason: 'not_authority', user_id: user.id },
  ]);
});

test('an unverified account goes to the person Google vouches for, without unverified data', async () => {
  const google = fakeGoogle();
  const person = googlePerson();
  const unproven = { firstName: 'Evil', lastName: 'Name', emailVerifiedAt: null };
  const planted = await createUser({ ...unproven, email: person.email.toUpperCase() });
  const verification = await createLink(planted, { purpose: 'verification' });
  const login = await createLink(planted);
  const intruder = browserWith(await createSession(planted.id));
  const course = await createCourseRow(planted.id);
  await db.update(users).set({ selectedCourseId: course.id }).where(eq(users.id, planted.id));

  const client = createClient();
  const response = await google.signIn(client, person, { headers: { 'Accept-Language': 'fr' } });

  expect(response.headers.get('Location')).toBe('/');
  const rows = await db.select().from(users).where(eq(users.emailCanonical, person.email));
  expect(rows).toMatchObject([
    {
      firstName: 'Grace',
      lastName: 'Hopper',
      email: person.email,
      emailVerifiedAt: expect.any(Date),
      language: 'fr',
      googleSub: person.sub,
      selectedCourseId: null,
    },
  ]);
  const owner = idOf(rows[0]);
  expect(await db.select().from(links).where(eq(links.userId, owner))).toEqual([]);
  expect(await db.select().from(courses).where(eq(courses.ownerId, owner))).toEqual([]);
  expect(await db.select().from(sessions).where(eq(sessions.userId, owner))).toHaveLength(1);
  for (const token of [verification, login]) {
    expect((await createClient().post(confirmPath, { token })).status).toBe(400);
  }
  expect((await intruder.get(userPath)).status).toBe(401);
  expect(await (await client.get(userPath)).json()).toMatchObject({ first_name: 'Grace' });
  expect(loggedEvents('google_signed_in', 'google_refused')).toMatchObject([
    { event: 'google_signed_in', outcome: 'adopted', user_id: owner },
  ]);
});

function userBy(email: string) {
  return db.select().from(users).where(eq(users.emailCanonical, email.toLowerCase())).get();
}
