import { expect, test } from 'vitest';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { db } from '#support/factories.ts';
import { noConnection, silence } from '#support/far-side.ts';
import { attemptsOf, callbackOf, fakeGoogle, googlePerson, startSignIn } from '#support/google.ts';
import { hurry } from '#support/hurry.ts';

type Answer = NonNullable<Parameters<typeof fakeGoogle>[0]>;

const faults: [string, Answer][] = [
  ['Google is overloaded (429)', () => new Response(null, { status: 429 })],
  ['Google answers with a page', () => new Response('<!doctype html>')],
  [
    'Google answers with someone else’s token',
    (tokens) => Response.json({ ...tokens, id_token: 'e30.e30.e30' }),
  ],
  ['Google cannot be reached', noConnection],
  ['Google never answers', (_tokens, signal) => silence(signal)],
];

test.each(faults)(
  'when %s, the sign-in ends on the login page with a message, and creates nothing; the next one works',
  async (_what, answer) => {
    hurry();
    let isDown = true;
    const google = fakeGoogle((tokens, signal) =>
      isDown ? answer(tokens, signal) : Response.json(tokens),
    );
    const client = createClient();
    const person = googlePerson();
    const before = await db.$count(users);
    const url = await startSignIn(client);
    const response = await client.get(callbackOf(url, google.codeFor(url, person)));

    expect(response.status).toBe(302);
    expect(response.headers.get('Location')).toBe('/login?error=auth_failed');
    expect(client.cookies.has('__Host-session')).toBe(false);
    expect(attemptsOf(client)).toEqual([]);
    expect(google.requests).toHaveLength(1);
    expect(await db.$count(users)).toBe(before);
    expect(loggedEvents('google_refused', 'failure')).toHaveLength(1);
    isDown = false;
    expect((await google.signIn(client, person)).headers.get('Location')).toBe('/');
    expect(await db.$count(users)).toBe(before + 1);
  },
  20_000,
);
