import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { users } from '#db/schema/users.ts';
import { settleStandings } from '#features/learning/settle-standings.ts';
import { makeNudges } from '#features/letters/make-nudges.ts';
import { makeReleases } from '#features/letters/make-releases.ts';
import { countCohortsNotOver, countOwnCohorts } from '#features/planning/own-cohorts.ts';
import { findTargets } from '#features/roster/find-targets.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { day, hour } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import {
  growingSteps,
  grownReads,
  planOf,
  type Recorded,
  recordDatabase,
} from '#support/recorder.ts';
import { fakeResend, mailsTo, requestTokenIn, type SentMail } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { enrollMany, made, startAt } from '../letters/reminders.ts';
import { confirmPath, formOf, requestsPath, setTime } from '../places/support.ts';
import { createRun } from './clock.ts';
import { createSelfPaced } from './owner.ts';

startAt(made);

const isNight = env.EVERY_CASE === '1';
const readers = isNight ? 20_000 : 1_500;
const jobs = { settleStandings, makeReleases, makeNudges };

type Cost = { trips: number; read: number; written: number; steps: string[] };

/** What each job of the clock reads and writes at a moment, as the first of its batches does. */
async function costsAt(moment: number) {
  setTime(moment);
  const costs: Record<string, Cost> = {};
  for (const [name, job] of Object.entries(jobs)) {
    const { db: recorded, take } = recordDatabase(env.DB);
    const ctx = contextOn({ DB: recorded });
    // Half of the requests are for sending: one of the others is left.
    ctx.requests.made = ctx.config.requestsPerRun / 2 - 1;
    await job(ctx);
    const { statements, trips } = take();
    const plans = await Promise.all(statements.map((statement) => planOf(env.DB, statement)));
    const sumOf = (rows: 'rowsRead' | 'rowsWritten') =>
      statements.reduce((sum, statement) => sum + (statement[rows] ?? 0), 0);
    costs[name] = {
      trips,
      read: sumOf('rowsRead'),
      written: sumOf('rowsWritten'),
      steps: plans.flatMap(growingSteps),
    };
  }
  return costs;
}

test(`with ${readers} people in a run the clock reads as many rows as with 100, and only so many at once`, async () => {
  const { run } = await createRun([null, 300]);
  await enrollMany(run, 100);
  // The first looks: what opens next for each of them.
  await costsAt(made);
  const before = await costsAt(made + day);
  const { run: other } = await createRun([null, 300]);
  await enrollMany(other, readers);
  for (let looked = 0; looked < readers; looked += 500) {
    await makeReleases(contextOn());
  }

  expect(await costsAt(made + day)).toEqual(before);
  // All of them have stopped, and then a section opens for all.
  const stopped = await costsAt(made + 7 * day);
  expect.soft(stopped.settleStandings?.read).toBeLessThan(500 * 20);
  expect.soft(stopped.makeNudges?.read).toBeLessThan(100 * 100);
  const opened = await costsAt(made + 300 * day);
  expect.soft(opened.makeReleases?.read).toBeLessThan(500 * 50);
  for (const { trips, steps } of [before, stopped, opened].flatMap(Object.values<Cost>)) {
    expect.soft(trips).toBe(1);
    const scans = /^SCAN (g|e|p|learning|enrollments|people)\b/;
    expect.soft(steps.filter((step) => scans.test(step))).toEqual([]);
  }
});

/** More than any page lists; at night as many as an open run can have. */
const [few, many] = [200, isNight ? 20_000 : 500];

test(`with ${many} people, what is read and written takes as many rows as with ${few}`, async () => {
  const { accepted } = fakeResend();
  setTime(made + hour);
  const owner = await createSelfPaced();
  // A cohort of the same owner, for those who move there.
  const course = await createCourseRow(owner.user.id, { courseType: 'cohort' });
  const target = await createCohortRow(course, { publishedAt: new Date() });
  await updateRow(users, owner.user, { selectedCourseId: owner.course.id });
  const run = { id: owner.run.id, ownerId: owner.user.id };
  await enrollMany(run, few);
  const before = await drive(owner, target, accepted);
  await enrollMany(run, many - few - 100, few + 1);
  // What has changed at the moment of a change is read with it.
  setTime(made + 2 * hour);
  const after = await drive(owner, target, accepted);
  const grown = [...after].flatMap(([name, statements]) =>
    grownReads(before.get(name) ?? [], statements, 20)
      // How many mailboxes have agreed is found in all that an owner's people have done.
      .filter((line) => !line.includes('AS mailbox'))
      .map((line) => `${name}: ${line}`),
  );
  expect(grown).toEqual([]);
  expect(before.size).toBe(9);

  // Not enrolled in the gate, only counted.
  const { counts } = await owner.read();
  await db.run(sql`UPDATE run_counts SET people = people + ${20_000 - counts.enrolled}
    WHERE rowid = (SELECT min(rowid) FROM run_counts WHERE cohort_id = ${owner.run.id})`);
  const response = await createClient().request('POST', requestsPath(owner.slug), await formOf());
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: 'too_many_people',
    message: 'This course holds 20,000 people at most.',
  });
});

/** All statements by what they are for. */
async function drive(
  { client, course, run, slug, user }: Awaited<ReturnType<typeof createSelfPaced>>,
  target: { id: string; ownerId: string },
  accepted: SentMail[],
) {
  const base = `/api/cohorts/${run.id}/`;
  const recording = recordDatabase(env.DB);
  const bindings = { DB: recording.db };
  const recorded = new Map<string, Recorded[]>();
  const take = (name: string) => recorded.set(name, recording.take().statements);
  const call = async (method: string, path: string, input?: unknown, by = client) => {
    const response = await by.request(method, path, input, { bindings });
    await settled();
    const what = `${method} ${path}: ${await response.clone().text()}`;
    expect(response.status, what).toBeLessThan(300);
    take(`${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}`);
    return response;
  };
  const ctx = contextOn(bindings);
  const ownerId = sql`${user.id}`;

  await call('PATCH', base, { capacity: 30, waitlist: false });
  await call('POST', `${base}enrollments/`, { ...guest(), as: 'enrolled', over_capacity: true });
  await call('GET', `/api/public/cohorts/${slug}/`);
  await call('PATCH', base, { capacity: null, waitlist: true });
  const form = await formOf();
  await call('POST', requestsPath(slug), form, createClient());
  const token = requestTokenIn(mailsTo(form.email, accepted).at(-1));
  await call('POST', confirmPath, { token }, createClient());
  await call('POST', `${base}enrollments/`, { ...guest(), as: 'invited' });
  const list = { text: `name,email\nAda,${uniqueEmail()}`, as: 'enrolled', informed: true };
  await call('POST', `${base}imports/`, { ...list, dry_run: true });
  await call('POST', `${base}imports/`, list);
  const { id } = await createEnrollment(target);
  await call('POST', `/api/cohorts/${target.id}/enrollments/${id}/transfer/`, {
    cohort_id: run.id,
  });
  await call('POST', `${base}enrollments/${id}/transfer/`, { cohort_id: target.id });
  await call('PATCH', `/api/courses/${course.id}/`, { course_type: 'cohort' });
  await call('PATCH', `/api/courses/${course.id}/`, { course_type: 'evergreen' });
  await ask(ctx, {
    targets: findTargets(target.id)(ctx, ownerId),
    own: countOwnCohorts(ctx, ownerId, ownerId),
    notOver: countCohortsNotOver(ctx, ownerId),
  });
  take('pages');
  return recorded;
}

function guest() {
  return { name: 'Ada Byron', email: uniqueEmail() };
}
