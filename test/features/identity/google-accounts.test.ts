import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions } from '#db/schema/sign-in.ts';
import { hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { browserWith, createSignedInClient, db } from '#support/factories.ts';
import { type Claims, fakeGoogle, googlePerson } from '#support/google.ts';
import { everything } from '#support/rows.ts';
import { leaksIn } from '#support/secrets.ts';
import { idOf, uniqueDigits, userBySub } from './google-users.ts';
import { userPath } from './paths.ts';

test('a new address gets a verified account in the language of the request, and is signed in', async () => {
  const google = fakeGoogle();
  const client = createClient();
  const picture = 'https://lh3.googleusercontent.com/a/grace=s96-c';
  const person = googlePerson({ picture });
  const headers = { 'Accept-Language': 'fr-CA,fr;q=0.9', 'User-Agent': 'a browser' };
  const response = await google.signIn(client, person, { headers });

  expect(response.status).toBe(302);
  expect(response.headers.get('Location')).toBe('/');
  expect(await response.text()).toBe('');
  const user = await userBySub(person.sub);
  expect(user).toMatchObject({
    firstName: 'Grace',
    lastName: 'Hopper',
    email: person.email,
    emailCanonical: person.email,
    emailVerifiedAt: expect.any(Date),
    language: 'fr',
    googleSub: person.sub,
    rosterNews: true,
    avatarUrl: picture,
  });
  const tokenHash = await hashToken(client.cookies.get('__Host-session') ?? '');
  const session = await db.select().from(sessions).where(eq(sessions.tokenHash, tokenHash)).get();
  expect(session).toMatchObject({ userId: idOf(user), userAgent: 'a browser' });
  const account = await client.get(userPath);
  expect(await account.json()).toMatchObject({ email_verified: true, avatar: picture });
  expect(loggedEvents('google_signed_in', 'google_refused')).toMatchObject([
    { event: 'google_signed_in', outcome: 'new', user_id: idOf(user) },
  ]);
});

test.each<[string, Claims, [string, string], string?]>([
  ['a link among words', { given_name: 'Win http://evil.biz' }, ['Grace', 'Hopper']],
  [
    'markup',
    { given_name: '<b>Grace</b>', family_name: '"Hopper"', name: '<b>Grace</b> x' },
    ['ada byron', ''],
  ],
  ['no family name', { family_name: undefined, name: 'Grace' }, ['Grace', '']],
  [
    'only the full name',
    { given_name: undefined, family_name: undefined, name: '  Grace  Brewster Hopper ' },
    ['Grace', 'Brewster Hopper'],
  ],
  [
    'far too long',
    { given_name: 'G'.repeat(300), family_name: 'H'.repeat(300), name: 'N'.repeat(9_999) },
    ['ada byron', ''],
  ],
  [
    'nothing, and an address without letters',
    { given_name: undefined, family_name: undefined, name: undefined, email: '1@example.com' },
    ['Instructor', ''],
  ],
  [
    'nothing, in French',
    { given_name: '', family_name: '', name: '', email: `${uniqueDigits()}@example.com` },
    ['Membre', ''],
    'fr',
  ],
])(
  'if Google’s names are %s, the account’s names follow our rules',
  async (_what, claims, names, language = 'en') => {
    const google = fakeGoogle();
    const person = googlePerson({ email: `ada.byron+${uniqueDigits()}@example.com`, ...claims });
    const headers = { 'Accept-Language': language };
    const response = await google.signIn(createClient(), person, { headers });

    expect(response.headers.get('Location')).toBe('/');
    const user = await userBySub(person.sub);
    expect([user?.firstName, user?.lastName]).toEqual(names);
  },
);

test.each([
  'http://lh3.googleusercontent.com/a/grace',
  'https://evilgoogleusercontent.com/a/grace',
  'https://lh3.googleusercontent.com.evil.test/a/grace',
  `https://lh3.googleusercontent.com/${'a'.repeat(3_000)}`,
  1,
])('a picture that is not on Google’s servers is ignored: %#', async (picture) => {
  const google = fakeGoogle();
  const person = googlePerson({ picture });
  const response = await google.signIn(createClient(), person);

  expect(response.headers.get('Location')).toBe('/');
  expect((await userBySub(person.sub))?.avatarUrl).toBeNull();
});

test('the session of the browser is replaced, also when it belonged to another user', async () => {
  const google = fakeGoogle();
  const { client, user } = await createSignedInClient();
  const former = client.cookies.get('__Host-session') ?? '';
  const person = googlePerson();
  await google.signIn(client, person);

  expect(client.cookies.get('__Host-session')).not.toBe(former);
  expect(await (await client.get(userPath)).json()).toMatchObject({ email: person.email });
  expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
  expect((await browserWith(former).get(userPath)).status).toBe(401);
});

test('a refused sign-in leaves the browser signed in as it was', async () => {
  const google = fakeGoogle();
  const { client, user } = await createSignedInClient();
  await google.signIn(client, googlePerson({ email_verified: false }));

  expect(await (await client.get(userPath)).json()).toMatchObject({ id: user.id });
});

test('only the identity is kept of what Google sends', async () => {
  const canary = 'a-canary-among-the-claims';
  const google = fakeGoogle();
  const person = googlePerson({ locale: canary });
  await google.signIn(createClient(), person);

  const dump = JSON.stringify(await everything());
  expect(dump).toContain(person.sub);
  const [{ fields } = { fields: {} as Record<string, string> }] = google.requests;
  const kept = [canary, fields['code_verifier'] ?? ''].filter((text) => dump.includes(text));
  expect(kept).toEqual([]);
  // The tokens, the code, state and nonce.
  expect(leaksIn(dump, { addressesToo: false })).toEqual([]);
});
