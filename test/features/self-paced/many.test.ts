import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { settleStandings } from '#features/learning/settle-standings.ts';
import { makeNudges } from '#features/letters/make-nudges.ts';
import { makeReleases } from '#features/letters/make-releases.ts';
import { contextOn } from '#support/context.ts';
import { growingSteps, planOf, recordDatabase } from '#support/recorder.ts';
import { enrollMany, made, startAt } from '../letters/reminders.ts';
import { setTime } from '../places/support.ts';
import { createRun, day } from './clock.ts';

startAt(made);

const [few, many] = [100, env.EVERY_CASE === '1' ? 20_000 : 1_500];
const jobs = { settleStandings, makeReleases, makeNudges };

/** What each job of the clock reads and writes at a moment, as the first of its batches does. */
async function costsAt(moment: number) {
  setTime(moment);
  const costs: Record<string, { trips: number; read: number; written: number; steps: string[] }> =
    {};
  for (const [name, job] of Object.entries(jobs)) {
    const { db: recorded, take } = recordDatabase(env.DB);
    const ctx = contextOn({ DB: recorded });
    // Half of the requests are for sending: one of the others is left.
    ctx.requests.made = ctx.config.requestsPerRun / 2 - 1;
    await job(ctx);
    const { statements, trips } = take();
    const plans = await Promise.all(statements.map((statement) => planOf(env.DB, statement)));
    costs[name] = {
      trips,
      read: statements.reduce((sum, { rowsRead }) => sum + (rowsRead ?? 0), 0),
      written: statements.reduce((sum, { rowsWritten }) => sum + (rowsWritten ?? 0), 0),
      steps: plans.flatMap(growingSteps),
    };
  }
  return costs;
}

test(`with ${many} people in a run the clock reads as many rows as with ${few}, and only so many at once`, async () => {
  const { run } = await createRun([null, 300]);
  await enrollMany(run, few);
  // The first looks: what opens next for each of them.
  await costsAt(made);
  const before = await costsAt(made + day);
  const { run: other } = await createRun([null, 300]);
  await enrollMany(other, many);
  for (let looked = 0; looked < many; looked += 500) {
    await makeReleases(contextOn());
  }

  expect(await costsAt(made + day)).toEqual(before);
  // All of them have stopped, and then a section opens for all.
  const stopped = await costsAt(made + 7 * day);
  expect.soft(stopped.settleStandings?.read).toBeLessThan(500 * 20);
  expect.soft(stopped.makeNudges?.read).toBeLessThan(100 * 100);
  const opened = await costsAt(made + 300 * day);
  expect.soft(opened.makeReleases?.read).toBeLessThan(500 * 50);
  for (const { trips, steps } of [before, stopped, opened].flatMap((costs) =>
    Object.values(costs),
  )) {
    expect.soft(trips).toBe(1);
    expect
      .soft(steps.filter((step) => /^SCAN (g|e|p|learning|enrollments|people)\b/.test(step)))
      .toEqual([]);
  }
});
