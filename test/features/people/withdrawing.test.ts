import { expect, test } from 'vitest';
import { settled } from '#support/background.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createSignedInClient,
} from '#support/factories.ts';
import { fakeResend, linkIn, mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { countsOf, mailsOf, start, statusOf } from './storm.ts';
import { participate, setTime } from './support.ts';

const hour = 60 * 60 * 1000;

startFresh();

/** A cohort whose only place is offered to the first of two people, and its instructor. */
async function createOffered() {
  const { client: owner, user } = await createSignedInClient();
  await owner.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start), capacity: 1 });
  const first = await createEnrollment(cohort, {
    status: 'offered',
    offerNo: 1,
    expiresAt: new Date(start + 31 * hour),
  });
  const next = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 2 });
  const path = `/api/cohorts/${cohort.id}/enrollments/${first.id}/`;
  const withdraw = async (input: object = {}, client = owner) => {
    const response = await client.post(`${path}withdraw/`, input);
    await settled();
    return { status: response.status, body: await response.json<Record<string, unknown>>() };
  };
  return { owner, cohort, first, next, path, withdraw };
}

test('an offer that is taken back goes to the next person at once, and both are told', async () => {
  const { accepted } = fakeResend();
  const { cohort, first, next, withdraw } = await createOffered();
  const withdrawn = await withdraw();

  expect(withdrawn).toMatchObject({
    status: 200,
    body: {
      status: 'removed',
      expires_at: null,
      events: [{}, { actor: 'owner', from_status: 'offered', to_status: 'removed' }],
    },
  });
  expect(await statusOf(cohort, next.person)).toBe('offered');
  expect(await mailsOf(first.person)).toEqual(['removed']);
  expect(await mailsOf(next.person)).toEqual(['offer']);
  const [mail] = mailsTo(next.person.email, accepted);
  setTime(start + hour);
  const taken = await participate('accept', linkIn(mail), next.id);
  expect(taken).toMatchObject({ status: 200, body: { status: 'enrolled' } });
});

test('the same again changes nothing, and tells no one', async () => {
  const { accepted } = fakeResend();
  const { cohort, withdraw } = await createOffered();
  const first = await withdraw();
  setTime(start + hour);
  const sent = accepted.length;

  expect(await withdraw()).toEqual(first);
  expect(await countsOf(cohort)).toEqual({ removed: 1, offered: 1 });
  expect(accepted).toHaveLength(sent);
});

test('someone who is not told gets no email', async () => {
  const { first, next, withdraw } = await createOffered();
  expect((await withdraw({ notify: false })).status).toBe(200);

  expect(await mailsOf(first.person)).toEqual([]);
  expect(await mailsOf(next.person)).toEqual(['offer']);
});

test('who has accepted meanwhile keeps the place', async () => {
  const { owner, cohort, first, next, path, withdraw } = await createOffered();
  expect((await owner.post(`${path}accept/`, {})).status).toBe(200);
  setTime(start + hour);

  expect(await withdraw()).toMatchObject({
    status: 422,
    body: {
      code: 'enrollment_transition',
      message: 'That is no longer possible: Grace Hopper is now enrolled.',
    },
  });
  expect(await statusOf(cohort, first.person)).toBe('enrolled');
  expect(await statusOf(cohort, next.person)).toBe('waitlisted');
});

test('an offer that is over has passed on by itself', async () => {
  const { cohort, first, next, withdraw } = await createOffered();
  setTime(start + 31 * hour);

  expect(await withdraw()).toMatchObject({ status: 422, body: { code: 'enrollment_transition' } });
  expect(await statusOf(cohort, first.person)).toBe('expired');
  expect(await statusOf(cohort, next.person)).toBe('offered');
});

test('the offer of another owner is not found', async () => {
  const { cohort, first, withdraw } = await createOffered();
  const { client: stranger } = await createSignedInClient();
  await stranger.get('/api/health/');

  expect(await withdraw({}, stranger)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await statusOf(cohort, first.person)).toBe('offered');
});
