import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { enrollmentRequests } from '#db/schema/people.ts';
import type { EnrollmentPage, PendingRequest, WaitlistPage } from '#features/places/schema.ts';
import { hour } from '#support/days.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { bounced, deliver } from '#support/webhook.ts';
import { startFresh } from '../places/fresh.ts';
import { countsOf, start, statusOf } from '../places/storm.ts';
import { ask, createOwner, refused, setTime } from '../places/support.ts';

const given = startFresh();

test('a full cohort takes more only if its owner says so', async () => {
  const { add, cohort, post } = await createOwner({ capacity: 1 });
  await createEnrollment(cohort);
  const full = { status: 422, body: { code: 'cohort_full', message: 'The only place is taken.' } };
  expect(await add()).toMatchObject(full);
  const over = { over_capacity: true };
  expect(await add(over)).toMatchObject({ status: 201, body: over });
  const { id } = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const move = (to: string, input = {}) => post(`enrollments/${id}/${to}/`, input);
  expect(await move('offer')).toMatchObject(full);
  expect(await move('accept')).toMatchObject(full);
  for (const _ of [1, 2]) {
    expect(await move('offer', over)).toMatchObject({ status: 200, body: { status: 'offered' } });
  }
  const accepted = { status: 200, body: { status: 'enrolled', ...over } };
  expect(await move('accept', over)).toMatchObject(accepted);
});

test('someone who is removed gets an email, unless the owner chooses otherwise, and their place goes on', async () => {
  const { cohort, post, read } = await createOwner({ capacity: 1 });
  const since = new Date(start - 1);
  const gone = await createEnrollment(cohort, { statusChangedAt: since });
  const next = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const removed = { status: 200, body: { status: 'removed' } };
  for (const _ of [1, 2]) {
    expect(await post(`enrollments/${gone.id}/remove/`)).toMatchObject(removed);
  }
  setTime(start + 1);
  expect(await post(`enrollments/${next.id}/remove/`, { notify: false })).toMatchObject(removed);

  const { accepted } = given.resend;
  expect(mailsTo(gone.person.email, accepted)).toHaveLength(1);
  const [offer, ...others] = mailsTo(next.person.email, accepted);
  expect(offer?.subject).toContain('A place is free');
  expect(others).toEqual([]);
  const again = await post(`enrollments/${gone.id}/offer/`);
  expect(again).toMatchObject(refused('enrollment_transition'));
  // Their details contain what has happened.
  const at = new Date(start).toISOString();
  expect(await read(`enrollments/${gone.id}/`)).toMatchObject({
    events: [
      { at: since.toISOString(), actor: 'person', from_status: null, to_status: 'enrolled' },
      { at, actor: 'owner', from_status: 'enrolled', to_status: 'removed' },
    ],
  });
});

test('people are marked as completed once the cohort is over, or early with before_end, and unmarked', async () => {
  const { post, cohort } = await createOwner({ startsAt: new Date(start) });
  const { id } = await createEnrollment(cohort);
  const { id: left } = await createEnrollment(cohort, { status: 'left' });
  const complete = (input: object, of = id) => post(`enrollments/${of}/complete/`, input);
  expect(await complete({})).toMatchObject(refused('cohort_not_over'));
  const done = { body: { completed_at: new Date(start).toISOString() } };
  expect(await complete({ before_end: true })).toMatchObject(done);
  setTime(start + 1);
  expect(await complete({ before_end: true })).toMatchObject(done);
  expect((await post(`enrollments/${id}/uncomplete/`)).body).toMatchObject({ completed_at: null });
  await updateRow(cohorts, cohort, { startsAt: new Date(start - 2), endsAt: new Date(start - 1) });
  expect((await complete({})).status).toBe(200);
  expect(await complete({}, left)).toMatchObject(refused('enrollment_transition'));
});

test('a cohort tells how many people it has, to its owner and in lists', async () => {
  const { read, client, cohort } = await createOwner({ capacity: 4 });
  const expiresAt = new Date(start + hour);
  await createEnrollment(cohort);
  await createEnrollment(cohort, { status: 'offered', expiresAt });
  // Over, but not swept yet.
  await createEnrollment(cohort, { status: 'offered', expiresAt: new Date(start) });
  await createEnrollment(cohort, { status: 'invited', expiresAt });
  await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  await createEnrollment(cohort, { status: 'left' });
  const counts = { enrolled: 1, offered: 1, waitlisted: 1, invited: 1, places_left: 2 };

  const states = { status: 'enrolling', enrollment_state: 'waitlist' };
  expect(await read()).toMatchObject({ counts, ...states });
  const list = await client.get(`/api/courses/${cohort.courseId}/cohorts/`);
  expect(await list.json()).toMatchObject([{ counts }]);
});

test('the roster is read by name, 100 at a time, searched without accents and filtered', async () => {
  const { read, cohort } = await createOwner();
  for (let count = 0; count < 103; count += 1) {
    await createEnrollment(cohort, {}, { name: `Person ${String(count).padStart(3, '0')}` });
  }
  const first = await createEnrollment(cohort, {}, { name: 'Élodie' });
  await createEnrollment(cohort, { status: 'left' }, { name: 'Zoe' });
  const one = await read<EnrollmentPage>('enrollments/');
  const two = await read<EnrollmentPage>(`enrollments/?after=${one.next}`);

  expect(one.items).toHaveLength(100);
  expect(one.items[0]?.id).toBe(first.id);
  expect(two.items).toHaveLength(4);
  expect(two.next).toBeNull();
  const names = async (query: string) =>
    (await read<EnrollmentPage>(`enrollments/?${query}`)).items.map(({ name }) => name);
  expect(await names('q=%20ELOD')).toEqual(['Élodie']);
  expect(await names(`q=${first.person.email.slice(0, 12)}`)).toContain('Élodie');
  expect(await names('q=%25')).toEqual([]);
  expect(await names('status=left')).toEqual(['Zoe']);
  // Who is looked for may have left, too.
  expect(await names('q=zoe')).toEqual(['Zoe']);
  expect(await names('status=enrolled&q=zoe')).toEqual([]);
});

test('the waitlist has its order, and says why no one is being offered a place', async () => {
  const { read, cohort } = await createOwner({ capacity: 1 });
  const empty = await read<WaitlistPage>('waitlist/');
  expect(empty).toEqual({ items: [], next: null, reason: 'nobody_waits', next_name: null });
  await createEnrollment(cohort);
  for (let number = 1; number <= 102; number += 1) {
    const waiting = { status: 'waitlisted', queueNo: number * 2 } as const;
    await createEnrollment(cohort, waiting, { name: number === 1 ? 'Ana' : 'Bob' });
  }
  const one = await read<WaitlistPage>('waitlist/');
  const two = await read<WaitlistPage>(`waitlist/?after=${one.next}`);

  expect(one).toMatchObject({ reason: 'no_place_free', next_name: 'Ana' });
  expect([...one.items, ...two.items].map((item) => item.queue_position)).toEqual(
    Array.from({ length: 102 }, (_, index) => index + 1),
  );
});

test('requests that wait for their click are shown, and so are all addresses', async () => {
  const { read, cohort } = await createOwner();
  await ask(cohort.slug);
  await db.update(enrollmentRequests).set({ expiresAt: new Date(start) });
  const { email } = await ask(cohort.slug);
  const one = await createEnrollment(cohort, {}, { name: 'Bob' });
  const two = await createEnrollment(cohort, {}, { name: 'Ana' });
  await createEnrollment(cohort, { status: 'left' });

  const requests = await read<PendingRequest[]>('requests/');
  expect(requests).toMatchObject([{ name: 'Grace Hopper', email }]);
  expect(await read('addresses/')).toEqual({ addresses: [two.person.email, one.person.email] });
});

test('the roster says since when email to an address bounces', async () => {
  const { cohort, read } = await createOwner();
  const { id, person } = await createEnrollment(cohort);
  const left = await createEnrollment(cohort, { status: 'left' });
  await deliver(bounced(person.email));
  const since = { undeliverable_since: new Date(start).toISOString() };

  expect(await read(`enrollments/${id}/`)).toMatchObject(since);
  expect(await read('enrollments/?status=enrolled')).toMatchObject({ items: [since] });
  expect(await read(`enrollments/${left.id}/`)).toMatchObject({ undeliverable_since: null });
});

test('several are removed at once, told or not, and their places are offered', async () => {
  const { cohort, post } = await createOwner({ capacity: 11 });
  const enrollMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => createEnrollment(cohort)));
  const [silent, told] = [await enrollMany(8), await enrollMany(3)];
  const next = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  const remove = async (people: typeof silent, more = {}) => {
    const enrollments = people.map(({ id }) => id);
    return (await post('enrollments/remove/', { enrollments, ...more })).body;
  };
  expect(await remove(silent, { notify: false })).toEqual({ removed: 8 });
  setTime(start + 1);
  expect(await remove(silent, { notify: true })).toEqual({ removed: 0 });
  await remove(told);

  expect(await countsOf(cohort)).toEqual({ removed: 11, offered: 1 });
  expect(await statusOf(cohort, next.person)).toBe('offered');
  const mailed = given.resend.accepted.map(({ to }) => to).toSorted();
  expect(mailed).toEqual([next, ...told].map(({ person }) => person.email).toSorted());
});

test('people of another cohort and of the trash stay', async () => {
  const { course, post } = await createOwner();
  const other = await createCohortRow(course, { publishedAt: new Date(start) });
  const trashed = await createCohortRow(course, { deletedAt: new Date(start) });
  const [one, two] = [await createEnrollment(other), await createEnrollment(trashed)];
  const input = { enrollments: [one.id, two.id] };

  expect(await post('enrollments/remove/', input)).toEqual({ status: 200, body: { removed: 0 } });
  const inTrash = await post(`/api/cohorts/${trashed.id}/enrollments/remove/`, input);
  expect(inTrash).toMatchObject(refused('cohort_in_trash'));
  expect(await countsOf(other)).toEqual({ enrolled: 1 });
  expect(await countsOf(trashed)).toEqual({ enrolled: 1 });
});
