import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { hashToken } from '#lib/tokens.ts';
import { type Client, createClient } from '#support/client.ts';
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
import { everything, userRow } from '#support/rows.ts';
import { leaksIn } from '#support/secrets.ts';
import { confirmPath, userPath } from './paths.ts';
import { accessTo, expectRefused, userBy } from './support.ts';

const inFrench = { headers: { 'Accept-Language': 'fr-CA,fr;q=0.9', 'User-Agent': 'a browser' } };

/** Ten digits, without letters that could form a name. */
function uniqueDigits(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '0');
}

/** Where a sign-in ends, who then has this Google identity, and what is logged. */
async function outcomeOf(claims: Claims, client = createClient(), options = {}) {
  const response = await fakeGoogle().signIn(client, claims, options);
  const sub = eq(users.googleSub, String(claims['sub']));
  return {
    location: response.headers.get('Location'),
    user: await db.select().from(users).where(sub).get(),
    events: loggedEvents('google_signed_in', 'google_refused').slice(-1),
  };
}

async function isSignedIn(client: Client): Promise<boolean> {
  return (await client.get(userPath)).status === 200;
}

test('a new address gets a verified account in the language of the request, and is signed in', async () => {
  const client = createClient();
  const picture = 'https://lh3.googleusercontent.com/a/grace=s96-c';
  const person = googlePerson({ picture });
  const { location, user, events } = await outcomeOf(person, client, inFrench);

  expect(location).toBe('/');
  expect(user).toMatchObject({
    firstName: 'Grace',
    lastName: 'Hopper',
    email: person.email,
    emailCanonical: person.email,
    emailVerifiedAt: expect.any(Date),
    language: 'fr',
    rosterNews: true,
    avatarUrl: picture,
  });
  const tokenHash = await hashToken(client.cookies.get('__Host-session') ?? '');
  const session = await db.select().from(sessions).where(eq(sessions.tokenHash, tokenHash)).get();
  expect(session).toMatchObject({ userId: user?.id, userAgent: 'a browser' });
  const account = await (await client.get(userPath)).json();
  expect(account).toMatchObject({ email_verified: true, avatar: picture });
  expect(events).toMatchObject([{ event: 'google_signed_in', outcome: 'new', user_id: user?.id }]);
});

const long = 'N'.repeat(300);
const markup = '<b>Grace</b>';

/** The names at Google: given, family, and both in one; those that the account gets. */
test.each<[string, [unknown?, unknown?, unknown?], string[], Claims?, string?]>([
  ['a link among words', ['Win http://evil.biz', 'Hopper', 'Grace Hopper'], ['Grace', 'Hopper']],
  ['markup', [markup, '"Hopper"', `${markup} x`], ['ada byron', '']],
  ['no family name', ['Grace', undefined, 'Grace'], ['Grace', '']],
  [
    'only the full name',
    [undefined, undefined, '  Grace  Brewster Hopper '],
    ['Grace', 'Brewster Hopper'],
  ],
  ['far too long', [long, long, long], ['ada byron', '']],
  ['nothing, and an address without letters', [], ['Instructor', ''], { email: '1@example.com' }],
  ['nothing, in French', ['', '', ''], ['Membre', ''], { email: '2@example.com' }, 'fr'],
])(
  'if Google’s names are %s, the account’s names follow our rules',
  async (_what, [given, family, name], names, claims = {}, language = 'en') => {
    const email = `ada.byron+${uniqueDigits()}@example.com`;
    const typed = { given_name: given, family_name: family, name };
    const headers = { 'Accept-Language': language };
    const person = googlePerson({ email, ...typed, ...claims });
    const { user } = await outcomeOf(person, createClient(), { headers });

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
  expect((await outcomeOf(googlePerson({ picture }))).user).toMatchObject({ avatarUrl: null });
});

test('the session of the browser is replaced, also another user’s, unless the sign-in is refused', async () => {
  const { client, user } = await createSignedInClient();
  const former = client.cookies.get('__Host-session') ?? '';
  await outcomeOf(googlePerson({ email_verified: false }), client);
  expect(await (await client.get(userPath)).json()).toMatchObject({ id: user.id });

  const person = googlePerson();
  await outcomeOf(person, client);
  expect(await (await client.get(userPath)).json()).toMatchObject({ email: person.email });
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
  expect(await isSignedIn(browserWith(former))).toBe(false);
});

test('only the identity is kept of what Google sends', async () => {
  const canary = 'a-canary-among-the-claims';
  const google = fakeGoogle();
  const person = googlePerson({ locale: canary });
  await google.signIn(createClient(), person);

  const dump = JSON.stringify(await everything());
  expect(dump).toContain(person.sub);
  const verifier = google.requests[0]?.fields['code_verifier'] ?? '';
  expect([canary, verifier].filter((text) => dump.includes(text))).toEqual([]);
  // The tokens, the code, state and nonce.
  expect(leaksIn(dump, { addressesToo: false })).toEqual([]);
});

test('the same person gets the same account, even if the address that Google has for them now is someone else’s', async () => {
  const picture = 'https://lh3.googleusercontent.com/a/new';
  const person = googlePerson({ picture: 'https://lh3.googleusercontent.com/a/old' });
  const { user: before } = await outcomeOf(person);
  const { id, email } = await createUser();
  const successor = await userRow(id);
  const again = googlePerson({ sub: person.sub, email, given_name: 'Amazing', picture });
  const client = createClient();
  const { user, events } = await outcomeOf(again, client, inFrench);

  expect(user).toEqual({ ...before, avatarUrl: picture });
  expect(await (await client.get(userPath)).json()).toMatchObject({ id: before?.id });
  expect(await userRow(id)).toEqual(successor);
  expect(events).toMatchObject([{ outcome: 'known', user_id: before?.id }]);
});

test.each<[string, (serial: string) => Claims]>([
  ['a Gmail address', (serial) => ({ email: `Linked.${serial}@GMail.com` })],
  ['an address at Gmail’s other name', (serial) => ({ email: `linked.${serial}@googlemail.com` })],
  [
    'a Workspace address',
    (serial) => ({ email: `linked.${serial}@example.com`, hd: 'example.com' }),
  ],
])('a verified account with %s is linked and otherwise unchanged', async (_what, claims) => {
  const person = googlePerson(claims(uniqueDigits()));
  const email = String(person.email).toLowerCase();
  const { client: elsewhere, user } = await createSignedInClient({ email });
  const before = await userRow(user.id);
  const token = await createLink(user);
  const client = createClient();
  const { user: linked, events } = await outcomeOf(person, client, inFrench);

  expect(linked).toEqual({ ...before, googleSub: person.sub });
  expect(await Promise.all([client, elsewhere].map(isSignedIn))).toEqual([true, true]);
  expect((await createClient().post(confirmPath, { token })).status).toBe(200);
  const linking = { event: 'google_signed_in', outcome: 'linked', user_id: user.id };
  expect(events).toMatchObject([linking]);
});

const atGmail = { email: `owner.${uniqueDigits()}@gmail.com` };

test.each<[string, Claims, object, string]>([
  ['at Gmail of another Google identity', atGmail, { googleSub: '1' }, 'other_google_account'],
  ['elsewhere', {}, {}, 'not_authority'],
  ['elsewhere, with an empty hd', { hd: '' }, {}, 'not_authority'],
  ['at notgmail.com', { email: 'grace@notgmail.com' }, {}, 'not_authority'],
  ['at a subdomain of gmail.com', { email: 'grace@mail.gmail.com' }, {}, 'not_authority'],
  ['elsewhere that is not verified', {}, { emailVerifiedAt: null }, 'not_authority'],
])('an account %s is not linked by Google’s word', async (_what, claims, values, reason) => {
  const person = googlePerson({ email: uniqueEmail(), ...claims });
  const user = await createUser({ email: person.email, ...values });
  await createSession(user.id);
  const before = await everything();
  const client = createClient();
  const { location, events } = await outcomeOf(person, client);

  const code = reason === 'not_authority' ? 'email_not_verified' : 'auth_failed';
  expect(location).toBe(`/login?error=${code}`);
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(await everything()).toEqual(before);
  expect(events).toMatchObject([{ event: 'google_refused', reason, user_id: user.id }]);
});

test('an unverified account goes to the person Google vouches for, without unverified data', async () => {
  const person = googlePerson();
  const unproven = { firstName: 'Evil', lastName: 'Name', emailVerifiedAt: null };
  const planted = await createUser({ ...unproven, email: person.email.toUpperCase() });
  const verification = await createLink(planted, { purpose: 'verification' });
  const login = await createLink(planted);
  const intruder = browserWith(await createSession(planted.id));
  const course = await createCourseRow(planted.id);
  await db.update(users).set({ selectedCourseId: course.id }).where(eq(users.id, planted.id));
  const client = createClient();
  const { events } = await outcomeOf(person, client, inFrench);

  const user = await userBy(person.email);
  expect(user).toMatchObject({
    firstName: 'Grace',
    lastName: 'Hopper',
    email: person.email,
    emailVerifiedAt: expect.any(Date),
    language: 'fr',
    googleSub: person.sub,
    selectedCourseId: null,
  });
  const { id = '' } = user ?? {};
  expect(await accessTo(id)).toEqual([1, 0, 0]);
  expect(await db.$count(courses, eq(courses.ownerId, id))).toBe(0);
  for (const token of [verification, login]) {
    await expectRefused(confirmPath, { token });
  }
  expect(await Promise.all([client, intruder].map(isSignedIn))).toEqual([true, false]);
  expect(events).toMatchObject([{ event: 'google_signed_in', outcome: 'adopted', user_id: id }]);
});
