import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#features/cohorts/table.ts';
import { mailsDue } from '#features/outbox/table.ts';
import type {
  EnrollmentDetails,
  EnrollmentPage,
  PendingRequest,
  WaitlistPage,
} from '#features/people/schema.ts';
import { enrollmentRequests, enrollments, people } from '#features/people/table.ts';
import { settled } from '#support/background.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, linkIn, mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { start } from './storm.ts';
import { ask, participate, setTime } from './support.ts';

const hour = 60 * 60 * 1000;

startFresh();

/** An instructor with a published cohort, and what they send about it. */
async function createOwner(values: Parameters<typeof createCohortRow>[1] = {}) {
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort', name: 'Writing' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start), ...values });
  const base = `/api/cohorts/${cohort.id}/`;
  const post = async (path: string, input?: unknown, options = {}) => {
    const response = await client.post(`${base}${path}`, input ?? {}, options);
    await settled();
    const body = response.status === 204 ? {} : await response.json<Record<string, unknown>>();
    return { status: response.status, body };
  };
  const get = async <Answer>(path: string) => {
    const response = await client.get(`${base}${path}`);
    expect(response.status).toBe(200);
    return response.json<Answer>();
  };
  return { client, user, cohort, base, post, get };
}

const someone = (values = {}) => ({
  as: 'enrolled',
  name: 'Élodie Blanc',
  email: uniqueEmail(),
  ...values,
});

test('someone is added with an email that says who has done so, and added again changes nothing', async () => {
  const { accepted } = fakeResend();
  const { post, cohort } = await createOwner({ language: 'fr' });
  const input = someone();
  const added = await post('enrollments/', input);
  setTime(start + 1);
  const again = await post('enrollments/', { ...input, name: 'Another Name' });

  expect(added).toMatchObject({
    status: 201,
    body: { status: 'enrolled', name: 'Élodie Blanc', person: { language: 'fr', source: 'added' } },
  });
  expect(again).toMatchObject({ status: 200, body: { name: 'Élodie Blanc' } });
  const [mail, ...rest] = mailsTo(input.email, accepted);
  expect(rest).toEqual([]);
  expect(mail?.subject).toMatch(/^Anna Martin vous donne une place\u00a0: Writing in spring/);
  const id = String(added.body['id']);
  expect((await participate('leave', linkIn(mail), id)).status).toBe(200);
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(1);
});

test('someone is invited, accepts, and is on the roster', async () => {
  const { accepted } = fakeResend();
  const { post, get } = await createOwner();
  const input = someone({ as: 'invited', language: 'en' });
  const invited = await post('enrollments/', input);
  expect(invited).toMatchObject({ status: 201, body: { status: 'invited' } });
  const [mail] = mailsTo(input.email, accepted);
  expect(mail?.subject).toBe('Anna Martin invites you: Writing in spring');
  await participate('accept', linkIn(mail), String(invited.body['id']));

  const { items } = await get<EnrollmentPage>('enrollments/');
  expect(items).toMatchObject([{ name: 'Élodie Blanc', status: 'enrolled' }]);
  const isTheirs = eq(mailsDue.enrollmentId, String(invited.body['id']));
  const isReminder = eq(mailsDue.kind, 'invitation_reminder');
  expect(await db.$count(mailsDue, and(isTheirs, isReminder))).toBe(1);
});

test('a full cohort takes more only if its owner says so', async () => {
  const { post, cohort } = await createOwner({ capacity: 1 });
  await createEnrollment(cohort);
  const input = someone();
  const full = { status: 422, body: { code: 'cohort_full', message: 'The only place is taken.' } };
  expect(await post('enrollments/', input)).toMatchObject(full);
  expect(await post('enrollments/', { ...input, over_capacity: true })).toMatchObject({
    status: 201,
    body: { over_capacity: true },
  });
  const waiting = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const path = `enrollments/${waiting.id}/`;
  expect(await post(`${path}offer/`)).toMatchObject(full);
  expect(await post(`${path}accept/`)).toMatchObject(full);
  const offered = { status: 200, body: { status: 'offered' } };
  expect(await post(`${path}offer/`, { over_capacity: true })).toMatchObject(offered);
  expect(await post(`${path}offer/`, { over_capacity: true })).toMatchObject(offered);
  const accepted = { status: 200, body: { status: 'enrolled', over_capacity: true } };
  expect(await post(`${path}accept/`)).toMatchObject(accepted);
});

test('someone who is removed gets an email, unless the owner chooses otherwise, and their place goes on', async () => {
  const { accepted } = fakeResend();
  const { post, cohort } = await createOwner({ capacity: 1 });
  const gone = await createEnrollment(cohort);
  const next = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const removed = { status: 200, body: { status: 'removed' } };
  expect(await post(`enrollments/${gone.id}/remove/`)).toMatchObject(removed);
  expect(await post(`enrollments/${gone.id}/remove/`)).toMatchObject(removed);
  setTime(start + 1);
  expect(await post(`enrollments/${next.id}/remove/`, { notify: false })).toMatchObject(removed);

  expect(mailsTo(gone.person.email, accepted)).toHaveLength(1);
  expect(mailsTo(next.person.email, accepted).map(({ subject }) => subject.slice(0, 15))).toEqual([
    'A place is free',
  ]);
  expect(await post(`enrollments/${gone.id}/offer/`)).toMatchObject({
    status: 422,
    body: { code: 'enrollment_transition' },
  });
});

test('people can be marked as completed from the first day on, which can be taken back', async () => {
  const { post, cohort } = await createOwner();
  const { id } = await createEnrollment(cohort);
  const { id: left } = await createEnrollment(cohort, { status: 'left' });
  expect((await post(`enrollments/${id}/complete/`)).body).toMatchObject({
    code: 'cohort_not_begun',
  });
  await db
    .update(cohorts)
    .set({ startsAt: new Date(start) })
    .where(eq(cohorts.id, cohort.id));
  for (let time = 0; time < 2; time += 1) {
    expect((await post(`enrollments/${id}/complete/`)).body).toMatchObject({
      completed_at: new Date(start).toISOString(),
    });
  }
  expect((await post(`enrollments/${id}/uncomplete/`)).body).toMatchObject({ completed_at: null });
  expect((await post(`enrollments/${left}/complete/`)).status).toBe(422);
});

test('a cohort tells how many people it has, to its owner and in lists', async () => {
  const { get, client, cohort } = await createOwner({ capacity: 4 });
  const expiresAt = new Date(start + hour);
  await createEnrollment(cohort);
  await createEnrollment(cohort, { status: 'offered', expiresAt });
  // Over, but not swept yet.
  await createEnrollment(cohort, { status: 'offered', expiresAt: new Date(start) });
  await createEnrollment(cohort, { status: 'invited', expiresAt });
  await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  await createEnrollment(cohort, { status: 'left' });
  const counts = { enrolled: 1, offered: 1, waitlisted: 1, invited: 1, places_left: 2 };

  expect(await get('')).toMatchObject({
    counts,
    status: 'enrolling',
    enrollment_state: 'waitlist',
  });
  const list = await client.get(`/api/courses/${cohort.courseId}/cohorts/`);
  expect(await list.json()).toMatchObject([{ counts }]);
});

test('the roster is read by name, 100 at a time, searched without accents and filtered', async () => {
  const { get, cohort } = await createOwner();
  for (let count = 0; count < 103; count += 1) {
    const name = `Person ${String(count)
      .padStart(3, '0')
      .replace(/./g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`;
    await createEnrollment(cohort, {}, { name, nameKey: name.toLowerCase() });
  }
  const elodie = { name: 'Élodie', nameKey: 'elodie' };
  const first = await createEnrollment(cohort, {}, elodie);
  await createEnrollment(cohort, { status: 'left' }, { name: 'Zoe', nameKey: 'zoe' });
  const one = await get<EnrollmentPage>('enrollments/');
  const two = await get<EnrollmentPage>(`enrollments/?after=${one.next}`);

  expect(one.items).toHaveLength(100);
  expect(one.items[0]?.id).toBe(first.id);
  expect(two.items).toHaveLength(4);
  expect(two.next).toBeNull();
  const names = async (query: string) =>
    (await get<EnrollmentPage>(`enrollments/?${query}`)).items.map(({ name }) => name);
  expect(await names('q=%20ELOD')).toEqual(['Élodie']);
  expect(await names(`q=${first.person.email.slice(0, 12)}`)).toContain('Élodie');
  expect(await names('q=%25')).toEqual([]);
  expect(await names('status=left')).toEqual(['Zoe']);
  // Who is looked for may have left, too.
  expect(await names('q=zoe')).toEqual(['Zoe']);
  expect(await names('status=enrolled&q=zoe')).toEqual([]);
});

test('the waitlist has its order, and says why no one is being offered a place', async () => {
  const { get, cohort } = await createOwner({ capacity: 1 });
  const empty = await get<WaitlistPage>('waitlist/');
  expect(empty).toEqual({ items: [], next: null, reason: 'nobody_waits', next_name: null });
  await createEnrollment(cohort);
  for (let number = 1; number <= 102; number += 1) {
    await createEnrollment(
      cohort,
      { status: 'waitlisted', queueNo: number * 2 },
      { name: number === 1 ? 'Ana' : 'Bob' },
    );
  }
  const one = await get<WaitlistPage>('waitlist/');
  const two = await get<WaitlistPage>(`waitlist/?after=${one.next}`);

  expect(one).toMatchObject({ reason: 'no_place_free', next_name: 'Ana' });
  expect([...one.items, ...two.items].map((item) => item.queue_position)).toEqual(
    Array.from({ length: 102 }, (_, index) => index + 1),
  );
});

test('details have the history of a person', async () => {
  const { get, post } = await createOwner();
  const { body } = await post('enrollments/', someone());
  setTime(start + 1);
  await post(`enrollments/${body['id']}/remove/`);
  const details = await get<EnrollmentDetails>(`enrollments/${body['id']}/`);

  expect(details.events).toEqual([
    {
      at: new Date(start).toISOString(),
      actor: 'owner',
      from_status: null,
      to_status: 'enrolled',
      moved_from: null,
    },
    {
      at: new Date(start + 1).toISOString(),
      actor: 'owner',
      from_status: 'enrolled',
      to_status: 'removed',
      moved_from: null,
    },
  ]);
});

test('requests that wait for their click are shown, and so are all addresses', async () => {
  const { get, cohort } = await createOwner();
  const { email } = await ask(cohort.slug);
  const expired = await ask(cohort.slug);
  await db
    .update(enrollmentRequests)
    .set({ expiresAt: new Date(start) })
    .where(eq(enrollmentRequests.emailCanonical, expired.email));
  const one = await createEnrollment(cohort, {}, { name: 'Bob', nameKey: 'bob' });
  const two = await createEnrollment(cohort, {}, { name: 'Ana', nameKey: 'ana' });
  await createEnrollment(cohort, { status: 'left' });

  expect(await get<PendingRequest[]>('requests/')).toMatchObject([{ name: 'Grace Hopper', email }]);
  expect(await get('addresses/')).toEqual({ addresses: [two.person.email, one.person.email] });
});

test('an owner corrects a name and an address; another address ends the old links', async () => {
  const { accepted } = fakeResend();
  const { client, cohort } = await createOwner();
  const { id, person } = await createEnrollment(cohort);
  const other = await createEnrollment(cohort);
  const path = `/api/people/${person.id}/`;
  const email = uniqueEmail();
  const patch = async (input: object) => {
    const response = await client.request('PATCH', path, input);
    await settled();
    return { status: response.status, body: await response.json<object>() };
  };
  expect(await patch({ name: 'Ada Byron', note: 'Vegetarian' })).toMatchObject({
    body: { name: 'Ada Byron', note: 'Vegetarian' },
  });
  expect(accepted).toEqual([]);
  expect((await patch({ email })).status).toBe(200);
  expect((await patch({ email })).status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([email]);
  expect((await participate('leave', linkIn(accepted[0]), id)).status).toBe(200);
  const [row] = await db.select().from(people).where(eq(people.id, person.id));
  expect(row?.linkVersion).toBe(2);
  const taken = await patch({ email: other.person.email });
  expect(taken).toMatchObject({
    status: 400,
    body: { fields: { email: ['Someone else in your cohorts has this email address'] } },
  });
});

test('a new link ends the old ones; sending it again does not', async () => {
  const { accepted } = fakeResend();
  const { client, post, cohort } = await createOwner();
  const { id, person } = await createEnrollment(cohort);
  await post(`enrollments/${id}/resend/`);
  setTime(start + 1);
  expect((await client.post(`/api/people/${person.id}/link/`)).status).toBe(204);
  await settled();
  const [old, fresh] = accepted.map(linkIn);

  expect((await participate('leave', old, id)).status).toBe(400);
  expect((await participate('leave', fresh, id)).status).toBe(200);
});

test('an instructor invites 20 people a day until 10 have accepted, and none while people call it spam', async () => {
  const { post, cohort, user } = await createOwner();
  const limits = { bindings: { LIMITS: { invitations_per_user: ['1/d'] } } };
  const invite = () => post('enrollments/', someone({ as: 'invited' }), limits);
  expect((await invite()).status).toBe(201);
  expect((await invite()).status).toBe(429);
  for (let count = 0; count < 10; count += 1) {
    const { id } = await createEnrollment(cohort, {
      status: 'invited',
      expiresAt: new Date(start + hour),
    });
    await db
      .update(enrollments)
      .set({ status: 'enrolled', expiresAt: null })
      .where(eq(enrollments.id, id));
  }
  expect((await invite()).status).toBe(201);
  for (let count = 0; count < 3; count += 1) {
    const [mail] = await db.select().from(mailsDue).where(eq(mailsDue.ownerId, user.id)).limit(1);
    await db.insert(mailsDue).values({
      ...mail,
      id: crypto.randomUUID(),
      dedupeKey: crypto.randomUUID(),
      ownerId: user.id,
      toAddress: uniqueEmail(),
      toCanonical: 'x@example.com',
      kind: 'invitation',
      payload: '',
      dueAt: new Date(start),
      complainedAt: new Date(start),
    });
  }

  expect((await invite()).body).toMatchObject({ code: 'invitations_paused' });
});

test('invitations go out 12 seconds after one another, places at once', async () => {
  const { accepted } = fakeResend();
  const { post } = await createOwner();
  await post('enrollments/', someone({ as: 'invited' }));
  setTime(start + 1);
  await post('enrollments/', someone({ as: 'invited' }));
  await post('enrollments/', someone());

  expect(accepted).toHaveLength(2);
  const due = await db
    .select({ dueAt: mailsDue.dueAt })
    .from(mailsDue)
    .where(eq(mailsDue.kind, 'invitation'));
  expect(due.map(({ dueAt }) => dueAt.getTime() - start)).toContain(12_000);
});

test('people belong to one instructor: no one else reads, changes or counts them', async () => {
  const { cohort } = await createOwner();
  const stranger = await createOwner();
  const { id, person } = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const before = await db.select().from(enrollments).where(eq(enrollments.id, id));
  const base = `/api/cohorts/${cohort.id}/`;
  const { client } = stranger;
  for (const path of [
    'enrollments/',
    `enrollments/${id}/`,
    'waitlist/',
    'requests/',
    'addresses/',
  ]) {
    expect((await client.get(`${base}${path}`)).status).toBe(404);
  }
  expect((await client.post(`${base}enrollments/`, someone())).status).toBe(404);
  for (const action of ['offer', 'accept', 'remove', 'complete', 'uncomplete', 'resend']) {
    // Neither in their cohort nor in one of the stranger's.
    for (const cohortPath of [base, stranger.base]) {
      const response = await client.post(`${cohortPath}enrollments/${id}/${action}/`, {});
      expect(response.status).toBe(404);
    }
  }
  expect((await client.request('PATCH', `/api/people/${person.id}/`, { note: 'x' })).status).toBe(
    404,
  );
  expect((await client.post(`/api/people/${person.id}/link/`)).status).toBe(404);

  expect(await db.select().from(enrollments).where(eq(enrollments.id, id))).toEqual(before);
});
