import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { minute } from '#support/days.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { linkIn, mailsTo } from '#support/resend.ts';
import { checkBalances } from '../ledger/support.ts';
import { startFresh } from '../places/fresh.ts';
import {
  actionsOn,
  brokenRules,
  contextAt,
  countsOf,
  createFive,
  start,
  statusOf,
} from '../places/storm.ts';
import { createOwner, enrollmentRow, participate, refused, setTime } from '../places/support.ts';

checkBalances();

const fresh = startFresh();

type Values = Parameters<typeof createCohortRow>[1];

/** An instructor with two cohorts, and what they send to move someone from the first. */
async function createTwo(values: Values = {}, ofTarget: Values = {}) {
  const owner = await createOwner({ name: 'Spring', ...values });
  const { cohort: from, course, post } = owner;
  const published = { name: 'Summer', publishedAt: new Date(start) };
  const to = await createCohortRow(course, { ...published, ...ofTarget });
  const transfer = (enrollmentId: string, input: object = {}, source = from) =>
    post(`/api/cohorts/${source.id}/enrollments/${enrollmentId}/transfer/`, {
      cohort_id: to.id,
      ...input,
    });
  return { ...owner, from, to, transfer };
}

test('someone goes to another cohort with all that has happened, and is told the new dates, once', async () => {
  const { accepted } = fresh.resend;
  const june = { startsOn: '2027-06-07', endsOn: '2027-07-02' };
  const { from, to, transfer } = await createTwo({}, june);
  const { id, person } = await createEnrollment(from, { statusChangedAt: new Date(start - 1) });
  const moved = await transfer(id);

  const events = [
    { from_status: null, to_status: 'enrolled', moved_from: null },
    { actor: 'owner', from_status: 'enrolled', to_status: 'enrolled', moved_from: 'Spring' },
  ];
  const body = { id, status: 'enrolled', completed_at: null, events };
  expect(moved).toMatchObject({ status: 200, body });
  setTime(start + minute);
  expect(await transfer(id)).toEqual(moved);
  const since = { cohortId: to.id, overCapacity: false, statusChangedAt: new Date(start) };
  expect(await enrollmentRow(id)).toMatchObject(since);
  // The path names the first cohort, which they are no longer in.
  expect(await transfer(id, { cohort_id: from.id })).toMatchObject({ status: 404 });
  const [mail, ...others] = mailsTo(person.email, accepted);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('You’re now in Writing (Summer), starting June 7');
  expect(mail?.text).toContain(
    'Anna Martin has moved your place from “Spring” to “Writing” (Summer).',
  );
  const left = await participate('leave', linkIn(mail), id);
  expect(left).toMatchObject({ status: 200, body: { cohort_name: 'Summer', status: 'left' } });
});

test('a person moved in silence is not told, and starts over', async () => {
  const { from, transfer } = await createTwo();
  const values = { overCapacity: true, completedAt: new Date(start) };
  const { id } = await createEnrollment(from, values);
  expect((await transfer(id, { notify: false })).status).toBe(200);
  expect(fresh.resend.accepted).toEqual([]);
  expect(await enrollmentRow(id)).toMatchObject({ overCapacity: false, completedAt: null });
});

test('the place that is left is offered to the first who waits there, and emails about it are not sent to who has left it', async () => {
  const { from, to, transfer } = await createTwo({ capacity: 1 }, { capacity: 1 });
  const { enroll } = actionsOn(from);
  const { ana, bob } = await createFive(from);
  const first = await enroll(start, ana);
  await enroll(start, bob);
  setTime(start + minute);
  await transfer(first?.id ?? '');
  await drainOutbox(contextAt(start + minute), null);

  expect(await statusOf(to, ana)).toBe('enrolled');
  expect(await statusOf(from, bob)).toBe('offered');
  for (const cohort of [from, to]) {
    expect(await brokenRules(cohort, start + minute, 1)).toEqual([]);
  }
  expect(mailsTo(ana.email, fresh.resend.accepted).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('You’re now in Writing (Summer)'),
  ]);
});

test('someone whom the other cohort lists already, in any status, stays where they are', async () => {
  const { from, to, transfer } = await createTwo();
  for (const status of ['enrolled', 'left', 'removed', 'waitlisted'] as const) {
    const place = await createEnrollment(from);
    const queueNo = status === 'waitlisted' ? 1 : null;
    await createEnrollment(to, { personId: place.person.id, status, queueNo });
    const answer = await transfer(place.id);
    expect(answer, status).toMatchObject(refused('person_in_target'));
    expect(answer.body.message).toContain('“Summer” lists Grace Hopper already (');
    expect(await statusOf(from, place.person)).toBe('enrolled');
  }
});

test('only someone who is enrolled is moved, out of a cohort that is not in the trash', async () => {
  const { from, transfer } = await createTwo();
  const { id } = await createEnrollment(from, { status: 'left' });
  expect(await transfer(id)).toMatchObject(refused('enrollment_transition'));
  const trashed = await createTwo({ deletedAt: new Date(start) });
  const other = await createEnrollment(trashed.from);
  expect(await trashed.transfer(other.id)).toMatchObject(refused('cohort_in_trash'));
});

test('what is over in the cohort of another owner stays so for them, whoever tries to act there', async () => {
  const [mine, theirs] = [await createTwo(), await createTwo({}, { capacity: 1 })];
  const { id } = await createEnrollment(mine.from);
  const expiresAt = new Date(start - minute);
  const offered = await createEnrollment(theirs.to, { status: 'offered', expiresAt });
  const waiting = await createEnrollment(theirs.to, { status: 'waitlisted', queueNo: 1 });
  const base = `/api/cohorts/${theirs.to.id}/`;
  for (const answer of [
    await mine.transfer(id, { cohort_id: theirs.to.id }),
    await mine.post(`${base}publish/`),
    await mine.post(`${base}archive/`),
    await mine.send('DELETE', base),
  ]) {
    expect(answer.status).toBe(404);
  }
  expect(await enrollmentRow(offered.id)).toMatchObject({ status: 'offered', expiresAt });
  expect(await enrollmentRow(waiting.id)).toMatchObject({ status: 'waitlisted' });
  expect(fresh.resend.accepted).toEqual([]);
});

test('of 20 people who are moved into the last place at once one gets it, and others over its capacity', async () => {
  const { from, to, transfer } = await createTwo({}, { capacity: 1, waitlist: true });
  const people = await Promise.all(Array.from({ length: 20 }, () => createEnrollment(from)));
  const answers = await Promise.all(people.map(({ id }) => transfer(id)));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'cohort_full')).toHaveLength(19);
  expect(await countsOf(to)).toEqual({ enrolled: 1 });
  expect(await countsOf(from)).toEqual({ enrolled: 19 });
  const isTold = and(eq(mailsDue.cohortId, to.id), eq(mailsDue.kind, 'transferred'));
  expect(await db.$count(mailsDue, isTold)).toBe(1);
  const late = people.find((_, index) => answers[index]?.status !== 200);
  const over = { over_capacity: true };
  expect(await transfer(late?.id ?? '', over)).toMatchObject({ status: 200, body: over });
});
