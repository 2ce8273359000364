import { env } from 'cloudflare:workers';
import { inArray } from 'drizzle-orm';
import { vi } from 'vitest';
import { jobs } from '#cron.ts';
import { ask } from '#db/query.ts';
import { counters } from '#db/schema/counters.ts';
import { addressRestores, knownSignIns } from '#db/schema/sign-in.ts';
import { webhookDeliveries } from '#db/schema/suppression.ts';
import type { users } from '#db/schema/users.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { findCourses } from '#features/courses/list-courses.ts';
import { findActor } from '#features/identity/find-actor.ts';
import { linkQuery, linkRows } from '#features/identity/find-link.ts';
import { findSessions } from '#features/identity/sessions.ts';
import { undoRows } from '#features/identity/undo-address-change.ts';
import {
  findLearnerCourse,
  findLearnerCourses,
  findLearnerLesson,
  findWholeCourse,
} from '#features/learning/find-learner.ts';
import { findOwnCertificate } from '#features/learning/find-own-certificate.ts';
import { uses as outboxUses } from '#features/letters/hold-mails.ts';
import { budgetUses, consume, counterKeys, type LimitUse } from '#features/limits/limit-on.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { apiPaths } from '#paths.ts';
import { crons } from '#settings.ts';
import { settled } from './background.ts';
import { createClient } from './client.ts';
import { takeNoise } from './console.ts';
import { contextOn, runByClock, seenThrough } from './context.ts';
import { operations as documented } from './contract.ts';
import { cohortPageReads, publicReads } from './drive-cohorts.ts';
import { day, putEnds } from './drive-ends.ts';
import { drivePayments } from './drive-payments.ts';
import { exampleCalls, fillIn, keepThings, type Things } from './examples.ts';
import {
  browserWith,
  createAttempt,
  createChange,
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createLink,
  createRestore,
  createSession,
  createUser,
  db,
  uniqueEmail,
} from './factories.ts';
import { callbackPath, fakeGoogle, googlePerson, loginPath, startSignIn } from './google.ts';
import { createLearner } from './learners.ts';
import { createLessonRow, createMark, createSectionRow } from './lesson-rows.ts';
import * as participants from './participants.ts';
import { type Recorded, recordDatabase } from './recorder.ts';
import { codeIn, fakeResend, mailsTo, tokenIn } from './resend.ts';
import { fakeStripe } from './stripe.ts';
import { bounced, deliver, webhookPath } from './webhook.ts';

/** An action of the app, with all its database requests. */
export type Operation = {
  name: string;
  /** Of a call of the API; null for the reads of a page, and for work by the clock. */
  method: string | null;
  statements: Recorded[];
  /** The number of its trips to the database. */
  trips: number;
};

type Client = ReturnType<typeof createClient>;
type Options = NonNullable<Parameters<Client['request']>[3]>;

const coursesOfPerson = 3;

/**
 * Does everything once that the app can do with its database: every API route, with each branch of
 * its verbs, the reads of the pages, and the clean-up. It creates its own users, whose ids and
 * hashes fall in the middle of every index, and changes no other rows, except expired ones.
 *
 * @throws Error for a documented route that was not requested
 */
export async function driveApp(): Promise<Operation[]> {
  // Paused, so that no limit's window ends on the way.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    await putEnds();
    return await driveAll();
  } finally {
    vi.useRealTimers();
  }
}

async function driveAll(): Promise<Operation[]> {
  const [resend, google] = [fakeResend(), fakeGoogle()];
  const stripe = fakeStripe();
  const recording = recordDatabase(env.DB);
  const driven: Operation[] = [];
  const visited = new Set<string>();
  const bindings = { DB: recording.db };

  async function drive(
    name: string,
    act: () => Promise<unknown>,
    method: string | null = null,
  ): Promise<void> {
    recording.take();
    await act();
    driven.push({ name, method, ...recording.take() });
  }

  /** One request; an unexpected status is a mistake in this file. */
  async function call(
    name: string,
    client: Client,
    [method, path, status]: [method: string, path: string, status: number],
    input?: unknown,
    options: Options = {},
  ): Promise<Response> {
    // Sets the CSRF token, as loading a page would.
    await client.get('/api/health/');
    let response = new Response();
    const ask = async () => {
      response = await client.request(method, path, input, {
        ...options,
        bindings: { ...bindings, ...options.bindings },
      });
      await settled();
      if (response.status !== status) {
        throw new Error(`${name}: ${response.status} ${await response.text()}`);
      }
    };
    await drive(name, ask, method);
    visited.add(`${method} ${path.replace(/\?.*/, '')}`);
    return response;
  }

  /** A user with courses and a session, and their browser. */
  async function person(values: Partial<typeof users.$inferInsert> = {}, age = 0) {
    const user = await createUser(values);
    const made = [];
    for (let index = 0; index < coursesOfPerson; index += 1) {
      const createdAt = new Date(Date.now() - day + index);
      made.push(await createCourseRow(user.id, { createdAt }));
    }
    const [first = { id: '' }, , last = { id: '' }] = made;
    const token = await createSession(user.id, {
      createdAt: new Date(Date.now() - age),
      lastSeenAt: new Date(Date.now() - age),
    });
    const account = `/api/accounts/${user.id}/`;
    const course = `/api/courses/${first.id}/`;
    const things: Things = {
      account: user.id,
      email: user.email,
      course: first.id,
      otherCourse: last.id,
    };
    return { user, token, client: browserWith(token), account, course, things };
  }

  // The reads of pages, which call these verbs.
  const { token, user: reader, course } = await person();
  await createSession(reader.id);
  const ctx = contextOn(bindings);
  const unrecorded = contextOn();
  // One email was just sent and none before: the shared limit has one bucket in every run.
  const unknown: LimitUse = { limit: 'unknown_addresses', subject: 'all' };
  const shared = [...budgetUses(false), ...Object.values(outboxUses), unknown];
  await db.delete(counters).where(inArray(counters.key, await counterKeys(unrecorded, shared)));
  await consume(unrecorded, shared, 'refuse');
  await drive('page: home, cohorts, payments, billing', () =>
    findActor(ctx, token, { courses: findCourses }),
  );
  await drive('page: settings', () =>
    findActor(ctx, token, { courses: findCourses, sessions: findSessions }),
  );
  const { stopToken } = await createChange(reader);
  await drive('page: undo, signed out', async () => {
    const link = await linkQuery(stopToken, undoRows);
    await ask(ctx, { link: link(ctx) });
  });
  await drive('page: with a session that is no more', () => findActor(ctx, 'f'.repeat(64), {}));
  const yesterday = await person({}, 2 * day);
  await drive('page: first of the day', () =>
    seenThrough(bindings, (visit) => findActor(visit, yesterday.token, { courses: findCourses })),
  );

  await call('health', createClient(), ['GET', '/api/health/', 200]);
  await call('schema', createClient(), ['GET', '/api/schema/', 200]);

  // The routes that features have examples of.
  for (const calls of exampleCalls) {
    const { client, things } = await person();
    for (const example of calls) {
      const { method, path, input } = fillIn(example, things);
      const name = `${method} ${example.path}`;
      const response = await call(name, client, [method, path, example.status], input);
      keepThings(example, things, await response.text(), path);
    }
  }

  // Writes of courses, by other ways.
  const owner = await person();
  const input = { name: 'Chemistry', course_type: 'cohort' };
  const key = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
  await call('create course, with a key', owner.client, ['POST', '/api/courses/', 201], input, key);
  await call('create course, once more', owner.client, ['POST', '/api/courses/', 201], input, key);
  await owner.client.post(`${owner.course}select/`);
  await call('delete the selected course', owner.client, ['DELETE', owner.course, 204]);
  await call('delete a course of others', owner.client, ['DELETE', course, 404]);

  const [teacher, colleague] = [await person(), await person()];
  const ofGroup = { courseType: 'cohort', showsOutline: true } as const;
  const group = await createCourseRow(teacher.user.id, ofGroup);
  const cohorts = `/api/courses/${group.id}/cohorts/`;
  // Not on the first day of the published one: of two on one day, either may be read first.
  const days = { starts_on: '2027-01-05', ends_on: '2027-02-12', time_zone: 'Europe/Paris' };
  const spring = { name: 'Writing in spring', ...days };
  const asked: [string, string, number] = ['POST', cohorts, 201];
  const made = await call('create cohort, with a key', teacher.client, asked, spring, key);
  await call('create cohort, once more', teacher.client, asked, spring, key);
  const { id: cohortId } = await made.json<Cohort>();
  const cohort = `/api/cohorts/${cohortId}/`;
  await call('read a cohort of others', colleague.client, ['GET', cohort, 404]);
  await call('change a cohort of others', colleague.client, ['PATCH', cohort, 404], spring);
  await call('change the dates of a cohort', teacher.client, ['PATCH', cohort, 200], {
    ends_on: '2027-02-19',
  });
  for (const list of ['archived', 'trash']) {
    const address = `${cohorts}?state=${list}`;
    await call(`list cohorts: ${list}`, teacher.client, ['GET', address, 200]);
  }
  const published = await createCohortRow(group, { publishedAt: new Date() });
  await teacher.client.post(apiPaths.selectCourse(group.id));
  // Someone who has done the first of three lessons.
  const guest = await createEnrollment({ id: cohortId, ownerId: group.ownerId });
  const section = await createSectionRow(group);
  const done = await createLessonRow(section);
  await createMark(guest, done);
  await createLessonRow(section, { position: 2 });
  await createLessonRow(section, { position: 3 });
  const shown = { enrollment: guest.id, lesson: done.id };
  const pages = Object.entries(cohortPageReads(ctx, teacher.token, cohortId, shown));
  for (const [name, read] of [...pages, ...(await publicReads(ctx, published))]) {
    await drive(name, read);
  }

  // Participants, who have no session, and what names one of them.
  for (const route of participants.participantRoutes) {
    const { user, client } = await person();
    const [method = '', path = ''] = route.split(' ');
    const found = await participants.participantCall(route, user.id);
    const { address, body, status, cookie } = found ?? { address: path, body: undefined };
    const options = cookie === undefined ? {} : { headers: { Cookie: cookie } };
    const expected = status ?? participants.statusOf(route);
    await call(route, client, [method, address, expected], body, options);
  }
  const learner = await createLearner({}, (await person()).user.id);
  const { course: learnt, lessons, device } = learner;
  for (const [name, read] of [
    ['all courses', () => findLearnerCourses(ctx, device)],
    ['a course', () => findLearnerCourse(ctx, device, learnt.id)],
    ['a lesson', () => findLearnerLesson(ctx, device, learnt.id, lessons[0])],
    ['all lessons', () => findWholeCourse(ctx, device, learnt.id)],
    ['a certificate', () => findOwnCertificate(ctx, device, learnt.id)],
  ] as const) {
    await drive(`page of a learner: ${name}`, read);
  }

  // Sign-up and login by email.
  const email = uniqueEmail();
  const newcomer = { first_name: 'Ada', last_name: 'Lovelace', email };
  const browser = createClient();
  await call('sign up', browser, ['POST', '/api/accounts/auth/signup/', 201], newcomer);
  await call('sign up, once more', browser, ['POST', '/api/accounts/', 201], newcomer);
  const verification = { token: tokenIn(resend.accepted.at(-1)) };
  await drive('page: confirm, signed out', async () => {
    const link = await linkQuery(verification.token, linkRows);
    await ask(ctx, { link: link(ctx) });
  });
  const logIn = '/api/accounts/auth/login/';
  await call('log in, not verified', browser, ['POST', logIn, 403], { email });
  const confirm: [string, string, number] = ['POST', '/api/accounts/auth/confirm/', 200];
  await call('confirm: verification', browser, confirm, { token: tokenIn(resend.accepted.at(-1)) });
  const taken = { ...newcomer, email: reader.email };
  await call('sign up, address taken', browser, ['POST', '/api/accounts/auth/signup/', 400], taken);
  const [{ user: returning }, atHome] = [await person(), createClient()];
  await call('log in', atHome, ['POST', logIn, 200], { email: returning.email });
  await call('confirm: login', atHome, confirm, { token: tokenIn(resend.accepted.at(-1)) });
  await call('log in, known', atHome, ['POST', logIn, 200], { email: returning.email });
  const newcomers = createClient();
  const second = { ...newcomer, email: uniqueEmail() };
  await newcomers.post('/api/accounts/auth/signup/', second);
  const verifying = { code: codeIn(resend.accepted.at(-1)) };
  await call('confirm: code of a verification', newcomers, confirm, verifying);
  const { client: waiting, code, wrong } = await createAttempt((await person()).user);
  const refusedCode: [string, string, number] = ['POST', confirm[1], 400];
  await call('confirm: wrong code', waiting, refusedCode, { code: wrong });
  await call('confirm: code', waiting, confirm, { code });
  await call('confirm: no attempt', waiting, refusedCode, { code });
  // A network that is new to the account.
  const network = `2001:db8:${crypto.randomUUID().slice(0, 4)}`;
  const fromIpv6 = { headers: { 'CF-Connecting-IP': `${network}::1` } };
  const login: [string, string, number] = ['POST', '/api/accounts/auth/login/', 200];
  await call('log in, from a network', createClient(), login, { email: returning.email }, fromIpv6);
  const nobody = { email: uniqueEmail() };
  await call('log in, no account', browser, ['POST', '/api/accounts/auth/login/', 404], nobody);
  await call('confirm: no such link', browser, ['POST', confirm[1], 400], {
    token: 'f'.repeat(64),
  });
  await call('log out', browser, ['POST', '/api/accounts/auth/logout/', 204]);
  const limited = { bindings: { LIMITS: { confirmations_per_ip: ['1/h'] } } };
  const refused: [string, string, number] = ['POST', confirm[1], 429];
  const impatient = createClient();
  await impatient.post(confirm[1], { token: 'f'.repeat(64) }, limited);
  await call('a full limit', impatient, refused, { token: 'f'.repeat(64) }, limited);

  // The account.
  const changing = await person();
  const moving = { email: uniqueEmail() };
  await call('change address', changing.client, ['PATCH', changing.account, 200], moving);
  const change = { token: tokenIn(mailsTo(moving.email, resend.accepted)[0]) };
  await call('confirm: address change', changing.client, confirm, change);
  const elsewhere = { email: reader.email };
  await call(
    'change address to a taken one',
    changing.client,
    ['PATCH', changing.account, 200],
    elsewhere,
  );
  const undo: [string, string, number] = ['POST', '/api/accounts/auth/undo-address-change/', 200];
  const stoppable = await createChange((await person()).user);
  await call('stop an address change', createClient(), undo, { token: stoppable.stopToken });
  const robbed = await person();
  await createLink(robbed.user);
  const back = { token: await createRestore(robbed.user) };
  await call('take an account back', createClient(), undo, back);
  await call('undo: no such link', createClient(), ['POST', undo[1], 400], back);
  const old = await person();
  await createSession(old.user.id);
  const sessionsPath = '/api/accounts/auth/sessions/';
  await call('end other sessions', old.client, ['DELETE', `${sessionsPath}others/`, 204]);
  await call('end the session', old.client, ['DELETE', `${sessionsPath}current/`, 204]);
  const leaving = await person();
  await createLink(leaving.user);
  await call('delete account', leaving.client, ['DELETE', leaving.account, 204]);

  // Google.
  const start: [string, string, number] = ['POST', loginPath, 200];
  await call('Google: start', createClient(), start);
  const known = googlePerson();
  const unproven = await person({ emailVerifiedAt: null, email: googlePerson().email });
  const linked = await person({ email: googlePerson().email });
  for (const [name, claims] of [
    ['Google: new', known],
    ['Google: known', known],
    ['Google: linked by address', googlePerson({ email: linked.user.email })],
    ['Google: takes over an unproven account', googlePerson({ email: unproven.user.email })],
  ] as const) {
    const client = createClient();
    const url = await startSignIn(client);
    const query = new URLSearchParams({
      state: url.searchParams.get('state') ?? '',
      code: google.codeFor(url, claims),
    });
    await call(name, client, ['GET', `${callbackPath}?${query}`, 302]);
  }

  // From another network.
  for (const [name, owner] of [
    ['webhook: bounce', await createUser()],
    ['webhook: bounce of an unknown address', { email: uniqueEmail() }],
  ] as const) {
    await drive(name, () => deliver(bounced(owner.email), { bindings }));
  }
  const again = { id: 'msg_again', bindings };
  await deliver(bounced(uniqueEmail()), again);
  await drive('webhook: the same again', () => deliver(bounced(uniqueEmail()), again));
  visited.add(`POST ${webhookPath}`);
  await drivePayments(drive, bindings, stripe);
  visited.add('POST /api/webhooks/stripe/');
  await call('error report, nowhere to go', createClient(), ['POST', apiPaths.errorReports, 404]);

  // Last, because the addresses above are suppressed from here on.
  fakeResend({ status: 422 });
  const stranger = { ...newcomer, email: uniqueEmail() };
  await call('sign up, email refused', createClient(), ['POST', '/api/accounts/', 503], stranger);
  takeNoise();

  const waitedFor = await participants.createWaitedFor(teacher.user.id);
  await drive('the public page of a course', () => findPublicPage(ctx, waitedFor.slug));
  await drive('the jobs of every 5 minutes', () => runByClock(bindings, { cron: crons.often }));

  // By cron: removes what this run left expired.
  await runByClock();
  const past = new Date(Date.now() - 100 * day);
  const idle = await createUser();
  await createLink(idle, { expiresAt: past });
  await createSession(idle.id, { createdAt: past, lastSeenAt: past });
  const spent = { key: crypto.randomUUID(), windowStart: past, count: 1, expiresAt: past };
  await db.insert(counters).values(spent);
  await db.insert(webhookDeliveries).values({ id: crypto.randomUUID(), expiresAt: past });
  const former = { id: crypto.randomUUID(), tokenHash: crypto.randomUUID(), email: idle.email };
  const { emailCanonical } = idle;
  await db
    .insert(addressRestores)
    .values({ ...former, emailCanonical, userId: idle.id, createdAt: past, expiresAt: past });
  await db.insert(knownSignIns).values({ userId: idle.id, origin: 'here', expiresAt: past });
  const { id: courseId } = await createCourseRow(idle.id);
  await createCohortRow({ id: courseId, ownerId: idle.id }, { deletedAt: past });
  await drive('clean-up', () => runByClock(bindings));
  await drive('clean-up, nothing to do', () => runByClock(bindings));
  // Not the renewal of instants, which reads every cohort and session that is not over.
  const nightly = {
    cron: crons.nightly,
    jobs: jobs.filter(({ name }) => !name.startsWith('renewal of')),
  };
  await drive('the nightly jobs', () => runByClock(bindings, nightly));

  const missing = documented.filter(
    ({ method, path }) =>
      ![...visited].some((visit) =>
        new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(visit),
      ),
  );
  if (missing.length > 0) {
    const routes = missing.map(({ method, path }) => `${method} ${path}`).join(', ');
    throw new Error(`These routes were not requested: ${routes}.`);
  }
  return driven;
}
