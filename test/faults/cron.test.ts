import { expect, test, vi } from 'vitest';
import { type Job, jobs } from '#cron.ts';
import { counters } from '#db/schema/counters.ts';
import { links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { crons } from '#settings.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { whileFailing } from '#support/database.ts';
import { createLink, createSession, createUser, db } from '#support/factories.ts';

const longAgo = new Date(0);

test('a clean-up that dies half way keeps its progress, and the next one finishes', async () => {
  const user = await createUser();
  await createLink(user, { expiresAt: longAgo });
  await createSession(user.id, { createdAt: longAgo, lastSeenAt: longAgo });
  await createSession(user.id);
  const spent = { key: 'a key', windowStart: longAgo, count: 1, expiresAt: longAgo };
  await db.insert(counters).values(spent);
  await expect(whileFailing('DELETE ON sessions', () => runByClock())).rejects.toThrow();
  expect(takeNoise()).toHaveLength(1);
  expect(await counts()).toMatchObject({ links: 0, sessions: 2 });

  await runByClock();
  expect(await counts()).toEqual({ links: 0, sessions: 1, counters: 0, users: 1 });
  expect(loggedEvents('cleaned_up')).toHaveLength(1);
});

test('jobs that need an order keep it, and each failure has its name', async () => {
  const broken = ['offering of places', 'daily news', 'sending of emails'];
  const begun: string[] = [];
  const steps = jobs.map((job) => ({
    ...job,
    async run() {
      begun.push(job.name);
      await db.$count(users);
      if (broken.includes(job.name)) {
        throw new Error(`No luck with ${job.name} after ${begun.length}`);
      }
    },
  }));
  const run = runByClock({}, { cron: crons.often, jobs: steps });
  await expect(run).rejects.toThrow(`The ${broken.join(', ')} failed; the log has more under `);

  const order = [
    'offering of places',
    'notices of open enrollment',
    'daily news',
    'reminders',
    'standings of learners',
    'notices of new lessons',
    'reminders of lessons',
    'sending of emails',
  ];
  expect(begun).toEqual(order);
  expect(takeNoise().map((line) => JSON.parse(line).failure)).toMatchObject(
    broken.map((name) => [
      { message: `The job ${name} failed` },
      { message: `No luck with ${name} after ${order.indexOf(name) + 1}` },
    ]),
  );
});

test('a job runs only at its own cron, and a cron without a job is a failed run', async () => {
  const run = vi.fn(async () => {});
  const often: Job = { name: 'often', cron: crons.hourly, run };
  await expect(runByClock({}, { cron: '*/5 * * * *', jobs: [often] })).rejects.toThrow(
    'No job has the cron "*/5 * * * *"',
  );
  expect(takeNoise()).toHaveLength(1);
  expect(run).not.toHaveBeenCalled();

  const rarely = vi.fn(async () => {});
  const other: Job = { name: 'rarely', cron: crons.nightly, run: rarely };
  await runByClock({}, { jobs: [often, other] });
  expect(run).toHaveBeenCalledOnce();
  expect(rarely).not.toHaveBeenCalled();
});

test('every cron has a job, and no two jobs share a name', () => {
  expect(new Set(jobs.map(({ cron }) => cron))).toEqual(new Set(Object.values(crons)));
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length);
});

async function counts() {
  return {
    links: await db.$count(links),
    sessions: await db.$count(sessions),
    counters: await db.$count(counters),
    users: await db.$count(users),
  };
}
