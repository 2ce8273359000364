import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { checkouts } from '#db/schema/checkouts.ts';
import { counters } from '#db/schema/counters.ts';
import { enrollments } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import { sealLink } from '#lib/signed-links.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { type ExampleCall, exampleCalls, fillIn, makeThings } from '#support/examples.ts';
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
import { fakeStripe } from '#support/stripe.ts';
import { defaultLimits, type LimitName } from '#vocabulary.ts';
import { confirmPath, loginPath, signUpPath, userPath } from '../identity/paths.ts';
import { createWriter, documentOf } from '../lessons/support.ts';
import {
  accountsPath,
  createKnownClient,
  googlePath,
  minute,
  noLimits,
  person,
  startOwnDays,
  usesOfNetwork,
} from './support.ts';

const coursesPath = '/api/courses/';

startOwnDays();

type Use = {
  /** The status while there is room. */
  passes: number;
  /** Prepares a limited request, to be tried any number of times. */
  prepare: () => Promise<(bindings: { LIMITS: unknown }) => Promise<Response>>;
};

/** Google's callbacks are refused with a redirect instead. */
const { google_callbacks_per_ip: ofCallbacks, ...ofNetworks } = usesOfNetwork;

/** Everything refused with 429; the other limits have their own tests. */
const uses: Partial<Record<LimitName, Use>> = {
  ...Object.fromEntries(exampleCalls.flatMap(usesOf)),
  ...Object.fromEntries(Object.entries(ofNetworks).map(byOneNetwork)),
  unknown_addresses: {
    passes: 404,
    prepare: async () => (bindings) =>
      createClient().post(loginPath, { email: uniqueEmail() }, { bindings }),
  },
  mails_per_address: {
    passes: 200,
    prepare: async () => {
      const { email } = await createUser();
      return (bindings) => createClient().post(loginPath, { email }, { bindings });
    },
  },
  mails_per_address_reserved: {
    passes: 200,
    prepare: async () => {
      const { email, client } = await createKnownClient();
      return (bindings) => client.post(loginPath, { email }, { bindings });
    },
  },
  sign_ups_per_address: {
    passes: 201,
    prepare: async () => {
      const email = uniqueEmail();
      return (bindings) => createClient().post(signUpPath, person(email), { bindings });
    },
  },
  codes_per_address: {
    passes: 400,
    prepare: async () => {
      const { client } = await createAttempt(await createUser());
      return (bindings) => client.post(confirmPath, { code: 'wrong' }, { bindings });
    },
  },
  data_links_per_person: {
    passes: 202,
    prepare: async () => {
      const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
      const { person } = await createEnrollment(await createCohortRow(course));
      const link = await sealLink(contextOn(), 'person', person);
      const client = createClient();
      const path = '/api/participation/data-link/';
      return (bindings) => client.post(path, { link }, { bindings });
    },
  },
  learning_per_person: {
    passes: 200,
    prepare: async () => {
      const { course, lessons, person } = await createLearner();
      const client = createClient();
      const link = await sealLink(contextOn(), 'person', person);
      await client.post('/api/participation/open/', { link });
      const path = `/api/learning/${course.id}/lessons/${lessons[0]}/`;
      return (bindings) => client.request('PUT', path, { opened: true }, { bindings });
    },
  },
  checkouts_per_person: {
    passes: 200,
    prepare: async () => {
      const { link, enrollment_id } = await createDebtor((await createUser()).id);
      const client = createClient();
      const path = '/api/participation/checkout/';
      return async (bindings) => {
        const response = await client.post(path, { link, enrollment_id }, { bindings });
        // As if it had ended: the same page again counts for nothing.
        await db.update(checkouts).set({ status: 'expired' });
        return response;
      };
    },
  },
  refunds_per_user: {
    passes: 204,
    prepare: async () => {
      const { client, user } = await createSignedInClient();
      const { id } = await createPaidCheckout(user.id);
      const path = `/api/checkouts/${id}/check/`;
      return (bindings) => client.post(path, undefined, { bindings });
    },
  },
  lesson_publications_per_user: {
    passes: 200,
    prepare: async () => {
      const { client, path } = await createWriter(documentOf('Said.'));
      let version = 0;
      return async (bindings) => {
        const response = await client.post(
          `${path}publish/`,
          { draft_version: version },
          { bindings },
        );
        if (response.ok) {
          version += 1;
          await client.request('PATCH', path, { title: `Said ${version}` });
        }
        return response;
      };
    },
  },
  lessons_at_once_per_user: {
    passes: 201,
    prepare: async () => {
      const { client, course } = await createWriter();
      const copy = { name: 'Biology 102', course_type: 'cohort' };
      const path = `/api/courses/${course.id}/duplicate/`;
      return (bindings) => client.post(path, copy, { bindings });
    },
  },
  invitations_per_user: { passes: 201, prepare: () => prepareInvitations(0) },
  proven_invitations_per_user: { passes: 201, prepare: () => prepareInvitations(10) },
  imports_per_user: { passes: 200, prepare: () => prepareLists({ informed: true }) },
  import_previews_per_user: { passes: 200, prepare: () => prepareLists({ dry_run: true }) },
  address_changes_per_user: {
    passes: 200,
    prepare: async () => {
      const { client, user } = await createSignedInClient();
      await client.get(userPath);
      const path = `/api/accounts/${user.id}/`;
      return (bindings) => client.request('PATCH', path, { email: uniqueEmail() }, { bindings });
    },
  },
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
    // Only people who have agreed get receipts: features/ledger/receipts.test.ts.
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
  async (limit, { passes, prepare }) => {
    fakeResend();
    fakeStripe();
    const attempt = await prepare();
    const bindings = { LIMITS: { ...noLimits, [limit]: ['2/m'] } };
    const start = Date.now();
    expect((await attempt(bindings)).status).toBe(passes);
    expect((await attempt(bindings)).status).toBe(passes);
    const refused = await attempt(bindings);

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
    expect((await attempt(bindings)).status).toBe(429);
    vi.setSystemTime(start + seconds * 1_000);
    expect((await attempt(bindings)).status).toBe(passes);
  },
);

async function createInstructor() {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const endsAt = new Date(Date.now() + 90 * 24 * 60 * minute);
  await client.get(userPath);
  return { client, cohort: await createCohortRow(course, { endsAt }) };
}

/** An instructor who adds people, some of whom have accepted an invitation before. */
async function prepareInvitations(accepted: number) {
  const { client, cohort } = await createInstructor();
  for (let count = 0; count < accepted; count += 1) {
    const expiresAt = new Date(Date.now() + 24 * 60 * minute);
    const { id } = await createEnrollment(cohort, { status: 'invited', expiresAt });
    await db
      .update(enrollments)
      .set({ status: 'enrolled', expiresAt: null })
      .where(eq(enrollments.id, id));
  }
  return (bindings: { LIMITS: unknown }) => {
    const input = { as: 'enrolled', name: 'Grace Hopper', email: uniqueEmail() };
    return client.post(`/api/cohorts/${cohort.id}/enrollments/`, input, { bindings });
  };
}

/** An instructor who imports another list each time. */
async function prepareLists(input: object) {
  const { client, cohort } = await createInstructor();
  return (bindings: { LIMITS: unknown }) => {
    const text = `Grace Hopper,${uniqueEmail()}`;
    const list = { as: 'invited', text, ...input };
    return client.post(`/api/cohorts/${cohort.id}/imports/`, list, { bindings });
  };
}

function byOneNetwork([limit, { passes, send }]: [string, typeof ofCallbacks]): [string, Use] {
  const prepare = async () => {
    const client = createClient();
    return (bindings: { LIMITS: unknown }) => send(client, { bindings });
  };
  return [limit, { passes, prepare }];
}

/** Uses from the examples that name a limit. */
function usesOf(calls: ExampleCall[]): [LimitName | undefined, Use][] {
  const limited = calls.filter(({ limit }) => limit !== undefined);
  return limited.map((call) => [
    call.limit,
    {
      passes: call.status,
      prepare: async () => {
        const { client, user } = await createSignedInClient();
        const { id: course } = await createCourseRow(user.id);
        const things = { account: user.id, email: user.email, course, otherCourse: course };
        await client.get(userPath);
        // Only what comes before it, which it may need.
        await makeThings(calls.slice(0, calls.indexOf(call)), things, client.request);
        const { method, path, input } = fillIn(call, things);
        return (bindings) => client.request(method, path, input, { bindings });
      },
    },
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
  await client.get(userPath);
  const token = await createLink(await createUser());
  const browser = createClient();
  await browser.get('/api/health/');
  const account = `/api/accounts/${user.id}/`;
  const waiting = await createAttempt(await createUser());
  await waiting.client.get('/api/health/');
  const before = await db.$count(users);
  await env.DB.exec('ALTER TABLE counters RENAME TO counters_away');
  const mailing = [
    await browser.post(loginPath, { email: user.email }),
    await browser.post(loginPath, { email: uniqueEmail() }),
    await browser.post(signUpPath, person(uniqueEmail())),
    await browser.post(accountsPath, person(uniqueEmail())),
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
  await createClient().post(signUpPath, person(uniqueEmail()), { headers });
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
