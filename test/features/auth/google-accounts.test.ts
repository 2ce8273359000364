import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import {
  createCourseRow,
  createLink,
  createSession,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { type Claims, callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';
import { fakeResend, tokenIn } from '#support/resend.ts';
import { everything } from '#support/rows.ts';
import { leaksIn, sawSecret } from '#support/secrets.ts';

const userPath = '/api/accounts/auth/user/';
const confirmPath = '/api/accounts/auth/confirm/';
const signUpPath = '/api/accounts/auth/signup/';

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
  expect(user).toEqual({
    id: expect.any(String),
    firstName: 'Grace',
    lastName: 'Hopper',
    email: person.email,
    emailCanonical: person.email,
    emailVerifiedAt: expect.any(Date),
    language: 'fr',
    googleSub: person.sub,
    avatarUrl: picture,
    selectedCourseId: null,
    createdAt: expect.any(Date),
  });
  const rows = await db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, idOf(user)));
  expect(rows).toMatchObject([
    {
      tokenHash: await hashToken(client.cookies.get('__Host-session') ?? ''),
      userAgent: 'a browser',
    },
  ]);
  const account = await client.get(userPath);
  expect(await account.json()).toMatchObject({ email_verified: true, avatar: picture });
  expect(loggedEvents('google_signed_in', 'google_refused')).toMatchObject([
    { event: 'google_signed_in', outcome: 'new', user_id: idOf(user) },
  ]);
});

test('a new address that Google is not the authority for gets an account too', async () => {
  const google = fakeGoogle();
  const person = googlePerson({ email: `Grace.${uniqueEmail()}` });
  const response = await google.signIn(createClient(), person);

  expect(response.headers.get('Location')).toBe('/');
  const user = await userBySub(person.sub);
  expect(user).toMatchObject({ email: person.email, emailCanonical: person.email.toLowerCase() });
  expect(user?.emailVerifiedAt).toBeInstanceOf(Date);
});

test.each<[string, Claims, [string, string]]>([
  ['a link among words', { given_name: 'Win http://evil.biz' }, ['Grace', 'Hopper']],
  [
    'a link throughout',
    { given_name: 'evil.biz', family_name: 'www.evil.biz', name: 'evil.biz www.evil.biz' },
    ['ada byron', ''],
  ],
  [
    'markup',
    { given_name: '<b>Grace</b>', family_name: '"Hopper"', name: '<b>Grace</b> x' },
    ['ada byron', ''],
  ],
  [
    'what cannot be seen',
    { given_name: 'Gr\u202eace', name: 'Gr\u202eace x' },
    ['ada byron', 'Hopper'],
  ],
  ['no family name', { family_name: undefined, name: 'Grace' }, ['Grace', '']],
  [
    'the name alone',
    { given_name: undefined, family_name: undefined, name: '  Grace  Brewster Hopper ' },
    ['Grace', 'Brewster Hopper'],
  ],
  ['one letter', { given_name: 'G', name: 'G Hopper' }, ['ada byron', 'Hopper']],
  ['numbers', { given_name: 1, family_name: {}, name: [] }, ['ada byron', '']],
  [
    'far too much',
    { given_name: 'G'.repeat(300), family_name: 'H'.repeat(300), name: 'N'.repeat(9_999) },
    ['ada byron', ''],
  ],
  ['spaces', { given_name: '  Grace ', family_name: ' ', name: '' }, ['Grace', '']],
  ['nothing', { given_name: '', family_name: '', name: '' }, ['ada byron', '']],
  [
    'nothing, and an address without letters',
    { given_name: undefined, family_name: undefined, name: undefined, email: '1@example.com' },
    ['Instructor', ''],
  ],
  [
    'nothing, and an address of too many',
    { given_name: '', family_name: '', name: '', email: `${'a'.repeat(60)}@example.com` },
    ['Instructor', ''],
  ],
])(
  'where Google’s names are %s, the account has names by our rules',
  async (_what, claims, names) => {
    const google = fakeGoogle();
    const person = googlePerson({ email: `ada.byron+${uniqueDigits()}@example.com`, ...claims });
    const response = await google.signIn(createClient(), person);

    expect(response.headers.get('Location')).toBe('/');
    const user = await userBySub(person.sub);
    expect([user?.firstName, user?.lastName]).toEqual(names);
  },
);

test('who has no name at all is called Instructor, in the language of the request', async () => {
  const google = fakeGoogle();
  const nameless = { given_name: '', family_name: '', name: '' };
  const person = googlePerson({ ...nameless, email: `${uniqueDigits()}@example.com` });
  await google.signIn(createClient(), person, { headers: { 'Accept-Language': 'fr' } });

  expect(await userBySub(person.sub)).toMatchObject({ firstName: 'Enseignant', lastName: '' });
});

test.each([
  'http://lh3.googleusercontent.com/a/grace',
  'https://googleusercontent.com/a/grace',
  'https://evilgoogleusercontent.com/a/grace',
  'https://lh3.googleusercontent.com.evil.test/a/grace',
  'https://evil.test/lh3.googleusercontent.com',
  'https://lh3.googleusercontent.com@evil.test/',
  'javascript:alert(1)//lh3.googleusercontent.com',
  'data:image/svg+xml,.googleusercontent.com',
  '/a/grace',
  '',
  `https://lh3.googleusercontent.com/${'a'.repeat(3_000)}`,
  1,
  ['https://lh3.googleusercontent.com/a/grace'],
])('a picture from anywhere but Google’s servers is none: %#', async (picture) => {
  const google = fakeGoogle();
  const person = googlePerson({ picture });
  const response = await google.signIn(createClient(), person);

  expect(response.headers.get('Location')).toBe('/');
  expect((await userBySub(person.sub))?.avatarUrl).toBeNull();
});

test('the same person comes back to the same account, whatever Google has as their address by now', async () => {
  const google = fakeGoogle();
  const person = googlePerson({ picture: 'https://lh3.googleusercontent.com/a/old' });
  await google.signIn(createClient(), person);
  const before = await userBySub(person.sub);
  const picture = 'https://lh3.googleusercontent.com/a/new';
  const again = googlePerson({ sub: person.sub, given_name: 'Amazing', family_name: '', picture });
  const client = createClient();
  const response = await google.signIn(client, again, { headers: { 'Accept-Language': 'fr' } });

  expect(response.headers.get('Location')).toBe('/');
  expect(await (await client.get(userPath)).json()).toMatchObject({ id: before?.id });
  expect(await userBySub(person.sub)).toEqual({ ...before, avatarUrl: picture });
  expect(await userBy(again.email)).toBeUndefined();
  expect(loggedEvents('google_signed_in')).toMatchObject([
    { outcome: 'new', user_id: before?.id },
    { outcome: 'known', user_id: before?.id },
  ]);
});

test('who has changed their address here still comes in, and not into the account that has the old one', async () => {
  const google = fakeGoogle();
  const person = googlePerson();
  const user = await createUser({ googleSub: person.sub });
  const successor = await createUser({ email: person.email });
  const before = await userBy(successor.email);
  const client = createClient();
  await google.signIn(client, person);

  expect(await (await client.get(userPath)).json()).toMatchObject({
    id: user.id,
    email: user.email,
  });
  expect(await userBy(successor.email)).toEqual(before);
});

test('another person at Google is not let into an account by its address', async () => {
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
  ['an address of Gmail’s other name', (serial) => ({ email: `linked.${serial}@googlemail.com` })],
  [
    'a Workspace address',
    (serial) => ({ email: `linked.${serial}@example.com`, hd: 'example.com' }),
  ],
])('a verified account with %s is linked and otherwise left as it is', async (_what, claims) => {
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
  ['a verified account with a number for hd', { hd: 1 }, new Date()],
  ['a verified account with null for hd', { hd: null }, new Date()],
  ['an unverified account elsewhere', {}, null],
  ['an unverified account with an empty hd', { hd: '' }, null],
])('%s is not for Google to give away', async (_what, claims, emailVerifiedAt) => {
  const google = fakeGoogle();
  const user = await createUser({ emailVerifiedAt });
  await createSession(user.id);
  const before = await everything();
  const client = createClient();
  const response = await google.signIn(client, googlePerson({ email: user.email, ...claims }));

  expect(response.headers.get('Location')).toBe('/login?error=email_not_verified');
  expect(client.cookies.has('__Host-session')).toBe(false);
  expect(await everything()).toEqual(before);
  expect(loggedEvents('google_signed_in', 'google_refused')).toMatchObject([
    { event: 'google_refused', reason: 'not_authority', user_id: user.id },
  ]);
});

test.each(['notgmail.com', 'gmail.com.example.com', 'mail.gmail.com', 'gmail.co'])(
  'an address at %s is not one of Gmail’s',
  async (domain) => {
    const google = fakeGoogle();
    const person = googlePerson({ email: `grace@${domain}` });
    await createUser({ email: person.email });
    const response = await google.signIn(createClient(), person);

    expect(response.headers.get('Location')).toBe('/login?error=email_not_verified');
  },
);

test('an unverified account is given to whom Google vouches for, with nothing that is not theirs', async () => {
  const { accepted } = fakeResend();
  const google = fakeGoogle();
  const person = googlePerson();
  const input = { first_name: 'Evil', last_name: 'Name', email: person.email.toUpperCase() };
  expect((await createClient().post(signUpPath, input)).status).toBe(201);
  const verification = tokenIn(accepted[0]);
  const planted = await userBy(person.email);
  const login = await createLink({ id: idOf(planted), emailCanonical: person.email });
  const intruder = createClient();
  intruder.cookies.set('__Host-session', await createSession(idOf(planted)));
  const course = await createCourseRow(idOf(planted));
  await db
    .update(users)
    .set({ selectedCourseId: course.id })
    .where(eq(users.id, idOf(planted)));

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

test('the session of the browser is replaced, also when it was another user’s', async () => {
  const google = fakeGoogle();
  const { client, user } = await createSignedInClient();
  const former = client.cookies.get('__Host-session') ?? '';
  const person = googlePerson();
  await google.signIn(client, person);

  expect(await (await client.get(userPath)).json()).toMatchObject({ email: person.email });
  expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
  const replay = createClient();
  replay.cookies.set('__Host-session', former);
  expect((await replay.get(userPath)).status).toBe(401);
});

test('a refused sign-in leaves the browser signed in as it was', async () => {
  const google = fakeGoogle();
  const { client, user } = await createSignedInClient();
  await google.signIn(client, googlePerson({ email_verified: false }));

  expect(await (await client.get(userPath)).json()).toMatchObject({ id: user.id });
});

test('a session token that the browser brings along is never adopted', async () => {
  const google = fakeGoogle();
  const chosen = createToken();
  sawSecret(chosen);
  const client = createClient();
  client.cookies.set('__Host-session', chosen);
  await google.signIn(client, googlePerson());

  expect(client.cookies.get('__Host-session')).toMatch(/^[0-9a-f]{64}$/);
  expect(client.cookies.get('__Host-session')).not.toBe(chosen);
  const hash = await hashToken(chosen);
  expect(await db.select().from(sessions).where(eq(sessions.tokenHash, hash))).toEqual([]);
});

test('of all that Google sends nothing is kept but who somebody is', async () => {
  const canary = 'a-canary-among-the-claims';
  const tokens: string[] = [];
  const google = fakeGoogle((sent) => {
    tokens.push(sent.access_token, sent.refresh_token, sent.id_token);
    return Response.json(sent);
  });
  const client = createClient();
  const url = await startSignIn(client);
  const person = googlePerson({ locale: canary });
  await client.get(callbackOf(url, google.codeFor(url, person)));

  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const rows = await Promise.all(
    results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all()),
  );
  const dump = JSON.stringify(rows.map((table) => table.results));
  expect(dump).toContain(person.sub);
  expect(tokens).toHaveLength(3);
  const secrets = [
    ...tokens,
    ...['state', 'nonce'].map((name) => url.searchParams.get(name)),
    google.requests[0]?.fields['code_verifier'],
    google.requests[0]?.fields['code'],
    'ya29.',
    canary,
  ];
  expect(secrets.filter((secret) => secret == null || dump.includes(secret))).toEqual([]);
  expect(leaksIn(dump, { addressesToo: false })).toEqual([]);
});

/** Ten digits, and no letter that a name could be made of. */
function uniqueDigits(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '0');
}

function userBySub(sub: unknown) {
  return db
    .select()
    .from(users)
    .where(eq(users.googleSub, String(sub)))
    .get();
}

function userBy(email: string) {
  return db.select().from(users).where(eq(users.emailCanonical, email.toLowerCase())).get();
}

function idOf(user: { id: string } | undefined): string {
  return user?.id ?? '';
}
