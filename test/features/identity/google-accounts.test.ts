import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { beforeWriting } from '#support/database.ts';
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
import { fakeResend } from '#support/resend.ts';
import { everything, updateRow, userRow } from '#support/rows.ts';
import { sawSecret } from '#support/secrets.ts';
import {
  accessTo,
  accountIn,
  confirm,
  confirmPath,
  createComer,
  expectRefused,
  newcomer,
  signedIn,
  signUpPath,
  userBy,
} from './support.ts';

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
    location: locationOf(response),
    user: await db.select().from(users).where(sub).get(),
    event: loggedEvents('google_signed_in', 'google_refused').at(-1),
  };
}

test('a new address gets a verified account in the language of the request, is signed in, and no more is kept', async () => {
  const client = createClient();
  const picture = 'https://lh3.googleusercontent.com/a/grace=s96-c';
  // After the tests, the database is searched for it, for the tokens, the code, state and nonce.
  const locale = 'a-canary-among-the-claims';
  sawSecret(locale);
  const person = googlePerson({ picture, locale });
  const { location, user, event } = await outcomeOf(person, client, inFrench);

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
  expect(await accountIn(client)).toMatchObject({ email_verified: true, avatar: picture });
  expect(event).toMatchObject({ event: 'google_signed_in', outcome: 'new', user_id: user?.id });
});

const long = 'N'.repeat(300);
const markup = '<b>Grace</b>';

/** The names at Google: given, family, and both in one; those that the account gets. */
test.each<[string, [unknown?, unknown?, unknown?], string[], Claims?, string?]>([
  ['a link among words', ['Win http://evil.biz', 'Hopper', 'Grace Hopper'], ['Grace', 'Hopper']],
  ['markup', [markup, '"Hopper"', `${markup} x`], ['ada byron', '']],
  ['no family name', ['Grace', undefined, 'Grace'], ['Grace', '']],
  ['in one only', [undefined, undefined, '  Grace  B. Hopper '], ['Grace', 'B. Hopper']],
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

test('a picture that is not on Google’s servers is ignored', async () => {
  for (const picture of [
    'http://lh3.googleusercontent.com/a/grace',
    'https://evilgoogleusercontent.com/a/grace',
    'https://lh3.googleusercontent.com.evil.test/a/grace',
    `https://lh3.googleusercontent.com/${'a'.repeat(3_000)}`,
    1,
  ]) {
    expect((await outcomeOf(googlePerson({ picture }))).user).toMatchObject({ avatarUrl: null });
  }
});

test('the session of the browser is replaced, also another user’s, unless the sign-in is refused', async () => {
  const { client, user } = await createSignedInClient();
  const former = browserWith(client.cookies.get('__Host-session') ?? '');
  await outcomeOf(googlePerson({ email_verified: false }), client);
  expect(await accountIn(client)).toMatchObject({ id: user.id });

  const person = googlePerson();
  await outcomeOf(person, client);
  expect(await accountIn(client)).toMatchObject({ email: person.email });
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
  expect(await signedIn(former)).toEqual([false]);
});

test('the same person gets the same account, even if the address that Google has for them now is someone else’s', async () => {
  const picture = 'https://lh3.googleusercontent.com/a/new';
  const person = googlePerson({ picture: 'https://lh3.googleusercontent.com/a/old' });
  const { user: before } = await outcomeOf(person);
  const { id, email } = await createUser();
  const successor = await userRow(id);
  const again = googlePerson({ sub: person.sub, email, given_name: 'Amazing', picture });
  const client = createClient();
  const { user, event } = await outcomeOf(again, client, inFrench);

  expect(user).toEqual({ ...before, avatarUrl: picture });
  expect(await accountIn(client)).toMatchObject({ id: before?.id });
  expect(await userRow(id)).toEqual(successor);
  expect(event).toMatchObject({ outcome: 'known', user_id: before?.id });
});

test.each<[string, (serial: string) => Claims]>([
  ['a Gmail address', (serial) => ({ email: `Linked.${serial}@GMail.com` })],
  ['an address at Gmail’s other name', (serial) => ({ email: `linked.${serial}@googlemail.com` })],
  ['a Workspace address', (serial) => ({ email: `l.${serial}@example.com`, hd: 'example.com' })],
])('a verified account with %s is linked and otherwise unchanged', async (_what, claims) => {
  const person = googlePerson(claims(uniqueDigits()));
  const email = String(person.email).toLowerCase();
  const { client: elsewhere, user } = await createSignedInClient({ email });
  const before = await userRow(user.id);
  const token = await createLink(user);
  const client = createClient();
  const { user: linked, event } = await outcomeOf(person, client, inFrench);

  expect(linked).toEqual({ ...before, googleSub: person.sub });
  expect(await signedIn(client, elsewhere)).toEqual([true, true]);
  expect((await confirm({ token })).status).toBe(200);
  expect(event).toMatchObject({ event: 'google_signed_in', outcome: 'linked', user_id: user.id });
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
  const { location, event } = await outcomeOf(person, client);

  const code = reason === 'not_authority' ? 'email_not_verified' : 'auth_failed';
  expect(location).toBe(`/login?error=${code}`);
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(await everything()).toEqual(before);
  expect(event).toMatchObject({ event: 'google_refused', reason, user_id: user.id });
});

test('an unverified account goes to the person Google vouches for, without unverified data', async () => {
  const person = googlePerson();
  const unproven = { firstName: 'Evil', lastName: 'Name', emailVerifiedAt: null };
  const planted = await createUser({ ...unproven, email: person.email.toUpperCase() });
  const verification = await createLink(planted, { purpose: 'verification' });
  const login = await createLink(planted);
  const intruder = browserWith(await createSession(planted.id));
  const course = await createCourseRow(planted.id);
  await updateRow(users, planted, { selectedCourseId: course.id });
  const client = createClient();
  const { event } = await outcomeOf(person, client, inFrench);

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
  await expectRefused(confirmPath, verification, login);
  expect(await signedIn(client, intruder)).toEqual([true, false]);
  expect(event).toMatchObject({ event: 'google_signed_in', outcome: 'adopted', user_id: id });
});

function locationOf({ headers }: Response): string | null {
  return headers.get('Location');
}

function rowsOf({ email }: Claims) {
  return db
    .select()
    .from(users)
    .where(eq(users.emailCanonical, String(email)));
}

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
    const comers = await Promise.all(Array.from({ length: 10 }, () => createComer(google, person)));
    const ends = await Promise.all(comers.map(({ client, callback }) => client.get(callback)));

    expect(ends.map(locationOf)).toEqual(Array(10).fill('/'));
    expect(await rowsOf(person)).toMatchObject([
      { googleSub: person.sub, emailVerifiedAt: expect.any(Date) },
    ]);
    const outcomes = loggedEvents('google_signed_in').map((event) => event['outcome']);
    expect(outcomes).toContain(outcome);
    expect(await signedIn(...comers.map(({ client }) => client))).toEqual(Array(10).fill(true));
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
    const [signingUp, reader] = [createClient(), createClient()];
    let token = 'none';
    if (isOlder) {
      const user = await createUser({ email: person.email, emailVerifiedAt: null });
      token = await createLink(user, { purpose: 'verification' });
    }
    const comer = await createComer(google, person);
    await Promise.all([signingUp.get('/api/health/'), reader.get('/api/health/')]);
    const input = { ...newcomer(person.email), first_name: 'Evil' };
    const [signedUp, end, confirmed] = await Promise.all([
      signingUp.post(signUpPath, input),
      comer.client.get(comer.callback),
      confirm({ token }, reader),
    ]);

    expect([201, 400]).toContain(signedUp.status);
    expect([200, 400]).toContain(confirmed.status);
    expect(locationOf(end)).toBe('/');
    expect(await signedIn(comer.client)).toEqual([true]);
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

  expect(responses.map(locationOf).sort()).toEqual(['/', '/login?error=auth_failed']);
  expect(await rowsOf(person)).toHaveLength(1);
});

/** A sign-in during which something else happens, after it has read and before it writes. */
async function signInDuring(person: Claims, meanwhile: () => Promise<void>) {
  const { client, callback } = await createComer(fakeGoogle(), person);
  const bindings = { DB: beforeWriting(meanwhile) };
  expect(locationOf(await client.get(callback, { bindings }))).toBe('/');
  return client;
}

test('a sign-in too late to adopt an account takes nothing from it', async () => {
  const person = googlePerson();
  const user = await createUser({ email: person.email, emailVerifiedAt: null });
  await signInDuring(person, async () => {
    await outcomeOf(person);
    await createCourseRow(user.id);
  });

  expect(await db.$count(courses, eq(courses.ownerId, user.id))).toBe(1);
  expect(await accessTo(user.id)).toEqual([2, 0, 0]);
});

test('an account that changes its address between reading and writing is not linked', async () => {
  const person = googlePerson();
  const user = await createUser({ email: person.email });
  const moved = { email: 'moved@example.com', emailCanonical: 'moved@example.com' };
  await signInDuring(person, () => updateRow(users, user, moved));

  expect(await userRow(user.id)).toMatchObject({ ...moved, googleSub: null });
  expect(await accessTo(user.id)).toEqual([0, 0, 0]);
});

test('an account that is deleted between reading and writing is created again', async () => {
  const person = googlePerson();
  const user = await createUser({ email: person.email, googleSub: person.sub });
  const client = await signInDuring(person, async () => {
    await db.delete(users).where(eq(users.id, user.id));
  });

  const { id } = await accountIn(client);
  expect(id).not.toBe(user.id);
  expect(loggedEvents('google_signed_in')).toMatchObject([{ outcome: 'new', user_id: id }]);
});
