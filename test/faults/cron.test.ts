import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { createLink, createSession, createUser, db } from '#support/factories.ts';

const longAgo = new Date(0);

test('a clean-up that dies half way keeps what it has done, and the next one does the rest', async () => {
  const user = await createUser();
  await createLink(user, { expiresAt: longAgo });
  await createSession(user.id, { createdAt: longAgo, lastSeenAt: longAgo });
  await createSession(user.id);
  await db
    .insert(counters)
    .values({ key: 'a key', windowStart: longAgo, count: 1, expiresAt: longAgo });
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  await expect(runByClock()).rejects.toThrow();
  const left = await counts();
  await env.DB.exec('DROP TRIGGER broken');
  expect(takeNoise()).toHaveLength(1);
  expect(left.sessions).toBe(2);
  expect(left.links).toBe(0);

  await runByClock();
  expect(await counts()).toEqual({ links: 0, sessions: 1, counters: 0, users: 1 });
  expect(loggedEvents('cleaned_up')).toHaveLength(1);
});

async function counts() {
  return {
    links: await db.$count(links),
    sessions: await db.$count(sessions),
    counters: await db.$count(counters),
    users: await db.$count(users),
  };
}
