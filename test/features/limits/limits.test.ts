import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { checkouts } from '#db/schema/checkouts.ts';
import { counters } from '#db/schema/counters.ts';
import { enrollments } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import { sealLink } from '#lib/signed-links.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day, minute } from '#support/days.ts';
import {
  createCaller,
  type ExampleCall,
  exampleCalls,
  fillIn,
  makeThings,
} from '#support/examples.ts';
import {
  createAttempt,
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createLink,
  createSignedInClient,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { attemptsOf } from '#support/google.ts';
import { createLearner } from '#support/learners.ts';
import { createDebtor, createPaidCheckout } from '#support/payments.ts';
import { fakeResend } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { fakeStripe } from '#support/stripe.ts';
import { defaultLimits, type LimitName } from '#vocabulary.ts';
import { accountsPath, confirmPath, loginPath, newcomer, signUpPath } from '../identity/support.ts';
import { createWriter, documentOf } from '../lessons/support.ts';
import { createKnownClient, googlePath, noLimits, startOwnDays, usesOfNetwork } from './support.ts';

const coursesPath = '/api/courses/';

startOwnDays();

type Options = { bindings: { LIMITS: unknown } };
type Attempt = (options: Options) => Promise<Response>;

/** The status while there is room, and what prepares a request to be tried any number of times. */
type Use = [passes: number, prepare: () => Promise<Attempt>];

/** A use that makes something once, for requests about it. */
function using<Made>(
  passes: number,
  make: () => Promise<Made> | Made,
  request: (made: Made, options: Options) => Promise<Response>,
): Use {
  const prepare = async () => {
    const made = await make();
    return (options: Options) => request(made, options);
  };
  return [passes, prepare];
}

/** Google's callbacks are refused with a redirect instead. */
const { google_callbacks_per_ip: ofCallbacks, ...ofNetworks } = usesOfNetwork;

/** Everything refused with 429; the other limits have their own tests. */
const uses: Partial<Record<LimitName, Use>> = {
  ...Object.fromEntries(exampleCalls.flatMap(usesOf)),
  ...Object.fromEntries(
    Object.entries(ofNetworks).map(([limit, { passes, send }]) => [
      limit,
      using(passes, createClient, send),
    ]),
  ),
  unknown_addresses: using(404, uniqueEmail, (email, options) =>
    createClient().post(loginPath, { email }, options),
  ),
  mails_per_address: using(
    200,
    () => createUser(),
    ({ email }, options) => createClient().post(loginPath, { email }, options),
  ),
  mails_per_address_reserved: using(200, createKnownClient, ({ client, email }, options) =>
    client.post(loginPath, { email }, options),
  ),
  sign_ups_per_address: using(
    201,
    () => newcomer(),
    (input, options) => createClient().post(signUpPath, input, options),
  ),
  codes_per_address: using(
    400,
    async () => createAttempt(await createUser()),
    ({ client }, options) => client.post(confirmPath, { code: 'wrong' }, options),
  ),
  data_links_per_person: using(
    202,
    async () => {
      const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
      const { person } = await createEnrollment(await createCohortRow(course));
      return { link: await sealLink(contextOn(), 'person', person), client: createClient() };
    },
    ({ client, link }, options) => client.post('/api/participation/data-link/', { link }, options),
  ),
  learning_per_person: using(
    200,
    async () => {
      const { course, lessons, person } = await createLearner();
      const client = createClient();
      const link = await sealLink(contextOn(), 'person', person);
      await client.post('/api/participation/open/', { link });
      return { client, path: `/api/learning/${course.id}/lessons/${lessons[0]}/` };
    },
    ({ client, path }, options) => client.request('PUT', path, { opened: true }, options),
  ),
  checkouts_per_person: using(
    200,
    async () => createDebtor((await createUser()).id),
    async ({ link, enrollment_id }, options) => {
      const path = '/api/participation/checkout/';
      const response = await createClient().post(path, { link, enrollment_id }, options);
      // As if it had ended: the same page again counts for nothing.
      await db.update(checkouts).set({ status: 'expired' });
      return response;
    },
  ),
  refunds_per_user: using(
    204,
    async () => {
      const { client, user } = await createSignedInClient();
      return { client, ...(await createPaidCheckout(user.id)) };
    },
    ({ client, id }, options) => client.post(`/api/checkouts/${id}/check/`, undefined, options),
  ),
  lesson_publications_per_user: using(
    200,
    async () => ({ ...(await createWriter(documentOf('Said.'))), version: { draft_version: 0 } }),
    async ({ client, path, version }, options) => {
      const response = await client.post(`${path}publish/`, version, options);
      if (response.ok) {
        version.draft_version += 1;
        await client.request('PATCH', path, { title: `Said ${version.draft_version}` });
      }
      return response;
    },
  ),
  lessons_at_once_per_user: using(
    201,
    () => createWriter(),
    ({ client, course }, options) => {
      const copy = { name: 'Biology 102', course_type: 'cohort' };
      return client.post(`/api/courses/${course.id}/duplicate/`, copy, options);
    },
  ),
  invitations_per_user: using(201, createInstructor, invite),
  proven_invitations_per_user: using(201, createProven, invite),
  imports_per_user: using(200, createInstructor, (owner, options) =>
    importList(owner, { informed: true }, options),
  ),
  import_previews_per_user: using(200, createInstructor, (owner, options) =>
    importList(owner, { dry_run: true }, options),
  ),
  address_changes_per_user: using(
    200,
    () => createCaller(),
    ({ client, user }, options) =>
      client.request('PATCH', `${accountsPath}${user.id}/`, { email: uniqueEmail() }, options),
  ),
};

test('every limit has a use, here or in an example, or tests of its own', () => {
  const ofTheirOwn = [
    'mails',
    'mails_to_unproven',
    'google_callbacks_per_ip',
    // Its refusal says that the code is over: features/learning/device.test.ts.
    'learner_codes_per_attempt',
    // Beyond these, emails are not sent or wait, and nothing is refused: features/people, outbox.
    'requests_per_address',
    'same_requests_per_address',
    'cohort_requests',
    'cohort_mails_per_address',
    'owner_mails_per_address',
    'bulk_mails_per_owner',
    'stranger_bulk_mails_per_owner',
    'cohort_mails',
    'unasked_cohort_mails',
    // It tells what has changed, so a repetition is refused for another reason: features/messages.
    'announcements_per_cohort',
    // Only of a cohort that is running: features/attendance.
    'attendance_per_cohort',
    // Only people who have agreed get receipts: features/ledger/emails.test.ts.
    'receipts_per_user',
    // What people would be told of can be done without: features/outbox/notices.test.ts.
    'notices_per_cohort',
    'notices_per_owner',
    // As an import itself: features/content-files/import.test.ts.
    'content_import_checks_per_user',
    // Places are held, and accounts connected, in other ways each time: features/checkouts and
    // features/payment-accounts.
    'holds_per_enrollment',
    'onboarding_per_user',
  ];

  expect([...Object.keys(uses), ...ofTheirOwn].sort()).toEqual(Object.keys(defaultLimits).sort());
});

test.each(Object.entries(uses))(
  '%s: requests pass up to the limit, the next is told how long to wait, and passes after it',
  async (limit, [passes, prepare]) => {
    fakeResend();
    fakeStripe();
    const prepared = await prepare();
    const attempt = () => prepared({ bindings: { LIMITS: { ...noLimits, [limit]: ['2/m'] } } });
    const start = Date.now();
    expect((await attempt()).status).toBe(passes);
    expect((await attempt()).status).toBe(passes);
    const refused = await attempt();

    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({
      code: 'rate_limited',
      message: 'Too many requests. Please try again later.',
      request_id: refused.headers.get('X-Request-Id'),
    });
    const events = loggedEvents('rate_limited');
    expect(events).toHaveLength(1);
    expect(String(events[0]?.['limit']).split(',')).toContain(limit);
    const retryAfter = refused.headers.get('Retry-After');
    expect(retryAfter).toMatch(/^[1-9]\d*$/);
    const seconds = Number(retryAfter);
    expect(seconds).toBeLessThanOrEqual(60);
    vi.setSystemTime(start + (seconds - 1) * 1_000);
    expect((await attempt()).status).toBe(429);
    vi.setSystemTime(start + seconds * 1_000);
    expect((await attempt()).status).toBe(passes);
  },
);

async function createInstructor() {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const endsAt = new Date(Date.now() + 90 * day);
  return { client, cohort: await createCohortRow(course, { endsAt }) };
}

type Instructor = Awaited<ReturnType<typeof createInstructor>>;

/** An instructor whose invitations ten people have accepted. */
async function createProven() {
  const instructor = await createInstructor();
  const expiresAt = new Date(Date.now() + day);
  for (let count = 0; count < 10; count += 1) {
    const invited = await createEnrollment(instructor.cohort, { status: 'invited', expiresAt });
    await updateRow(enrollments, invited, { status: 'enrolled', expiresAt: null });
  }
  return instructor;
}

function invite({ client, cohort }: Instructor, options: Options) {
  const input = { as: 'enrolled', name: 'Grace Hopper', email: uniqueEmail() };
  return client.post(`/api/cohorts/${cohort.id}/enrollments/`, input, options);
}

/** Imports another list each time. */
function importList({ client, cohort }: Instructor, input: object, options: Options) {
  const list = { as: 'invited', text: `Grace Hopper,${uniqueEmail()}`, ...input };
  return client.post(`/api/cohorts/${cohort.id}/imports/`, list, options);
}

/** Uses from the examples that name a limit. */
function usesOf(calls: ExampleCall[]): [LimitName | undefined, Use][] {
  const prepare = async (call: ExampleCall) => {
    const caller = await createCaller();
    // Only what comes before it, which it may need.
    await makeThings(caller, calls.slice(0, calls.indexOf(call)));
    return { client: caller.client, ...fillIn(call, caller.things) };
  };
  const limited = calls.filter(({ limit }) => limit !== undefined);
  return limited.map((call) => [
    call.limit,
    using(
      call.status,
      () => prepare(call),
      ({ client, method, path, input }, options) => client.request(method, path, input, options),
    ),
  ]);
}

test('Google callbacks over the limit of a client network go to the login page, and Google is not asked', async () => {
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(null, { status: 400 }));
  const client = createClient();
  const bindings = { LIMITS: { google_callbacks_per_ip: ['2/m'] } };
  const callback = () => ofCallbacks.send(client, { bindings });
  const responses = [await callback(), await callback(), await callback()];

  expect(responses.map(({ status, headers }) => [status, headers.get('Location')])).toEqual(
    Array(3).fill([302, '/login?error=auth_failed']),
  );
  expect(asked).toHaveBeenCalledTimes(2);
  expect(attemptsOf(client)).toEqual([]);
  expect(loggedEvents('rate_limited')).toMatchObject([{ limit: 'google_callbacks_per_ip' }]);
  vi.setSystemTime(Date.now() + minute);
  await callback();
  expect(asked).toHaveBeenCalledTimes(3);
});

test('when counting fails, no email is sent and everything else works', async () => {
  const { attempts } = fakeResend();
  const { client, user } = await createSignedInClient();
  const token = await createLink(await createUser());
  const browser = createClient();
  const account = `${accountsPath}${user.id}/`;
  const waiting = await createAttempt(await createUser());
  await Promise.all([client, browser, waiting.client].map((one) => one.get('/api/health/')));
  const before = await db.$count(users);
  await env.DB.exec('ALTER TABLE counters RENAME TO counters_away');
  const mailing = [
    await browser.post(loginPath, { email: user.email }),
    await browser.post(loginPath, { email: uniqueEmail() }),
    await browser.post(signUpPath, newcomer()),
    await browser.post(accountsPath, newcomer()),
    await client.request('PATCH', account, { email: uniqueEmail() }),
  ];
  const others = [
    await client.post(coursesPath, { name: 'Biology 101', course_type: 'cohort' }),
    await client.get(`${account}export/`),
    await browser.post(googlePath),
    await waiting.client.post(confirmPath, { code: waiting.code }),
    await browser.post(confirmPath, { token }),
  ];
  await env.DB.exec('ALTER TABLE counters_away RENAME TO counters');

  expect(mailing.map(({ status }) => status)).toEqual(Array(5).fill(503));
  for (const response of mailing) {
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
  }
  expect(takeNoise()).toHaveLength(5);
  expect(attempts).toHaveLength(0);
  expect(await db.$count(users)).toBe(before);
  expect(others.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  expect(loggedEvents('limiter_failed')).toHaveLength(11);
});

test('the counters contain numbers under keyed hashes, and no address or network', async () => {
  fakeResend();
  await db.delete(counters);
  const { email } = await createUser();
  const headers = { 'CF-Connecting-IP': '203.0.113.7' };
  await createClient().post(loginPath, { email }, { headers });
  await createClient().post(signUpPath, newcomer(), { headers });
  const { results } = await env.DB.prepare('SELECT * FROM counters').all();

  // Two windows of each address and of the sign-up, two of the client network, one of all emails
  // and one of those to unverified addresses.
  expect(results).toHaveLength(10);
  for (const row of results) {
    expect(row).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      window_start: expect.any(Number),
      count: expect.any(Number),
      expires_at: expect.any(Number),
    });
  }
});
