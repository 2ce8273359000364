import { expect, test } from 'vitest';
import { whyNoOffer } from '#features/places/why-no-offer.ts';
import { leftWords } from '#lib/time/time-left.ts';
import { day, hour, minute } from '#support/days.ts';
import { createEnrollment } from '#support/factories.ts';
import { linkIn, mailsTo } from '#support/resend.ts';
import { startFresh } from './fresh.ts';
import { countsOf, mailsOf, start, statusOf } from './storm.ts';
import { createOwner, participate, refused, setTime } from './support.ts';

const given = startFresh();

const now = new Date(start);
const at = (hours: number) => new Date(start + hours * hour);

const cohort = {
  startsAt: at(100),
  endsAt: at(1_000),
  joinMode: 'open' as const,
  enrollmentOpensAt: null,
  enrollmentClosesAt: null,
  enrollmentOverride: null,
  closedByType: false,
  capacity: 10,
  waitlist: true,
  publishedAt: at(-1),
  archivedAt: null,
  deletedAt: null,
};
const counts = { enrolled: 10, offered: 0, waitlisted: 3, applied: 0, invited: 0 };

test.each([
  ['cohort_in_trash', { deletedAt: now }, {}],
  ['cohort_archived', { archivedAt: now }, {}],
  ['cohort_over', { endsAt: now }, {}],
  ['nobody_waits', {}, { waitlisted: 0 }],
  ['cohort_not_published', { publishedAt: null }, {}],
  ['too_late', { startsAt: at(0.99) }, { enrolled: 9 }],
  ['next_run', { startsAt: at(1) }, { enrolled: 9 }],
  ['next_run', { startsAt: at(-1), enrollmentClosesAt: at(1) }, { enrolled: 9 }],
  ['too_late', { startsAt: at(-1), endsAt: at(0.5), enrollmentClosesAt: at(2) }, { enrolled: 9 }],
  ['waiting_for_answers', {}, { enrolled: 9, offered: 1 }],
  ['no_place_free', {}, {}],
  ['no_place_free', { waitlist: false, enrollmentOverride: 'closed' as const }, {}],
  ['next_run', { capacity: null }, {}],
] as const)('no one is being offered a place: %s', (reason, values, people) => {
  expect(whyNoOffer({ ...cohort, ...values }, { ...counts, ...people }, now)).toBe(reason);
});

test.each([
  ['offer_before_publishing', { publishedAt: null }],
  ['offer_too_late', { startsAt: at(0.99) }],
])('although places are free, none can be offered: %s', async (code, values) => {
  const { cohort, post } = await createOwner({ capacity: 2, ...values });
  const { id } = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  for (const over_capacity of [false, true]) {
    expect(await post(`enrollments/${id}/offer/`, { over_capacity })).toMatchObject(refused(code));
  }
});

test.each([
  [14 * day - 1, '13 days', '13 jours'],
  [72 * hour, '72 hours', '72 heures'],
  [48 * hour - 1, '47 hours', '47 heures'],
  [2 * hour - 1, '119 minutes', '119 minutes'],
  [minute, '1 minute', '1 minute'],
  [0, '1 minute', '1 minute'],
])('the %d ms that are left are never said to be more', (left, en, fr) => {
  expect([leftWords(left, 'en'), leftWords(left, 'fr')]).toEqual(
    [en, fr].map((text) => text.replace(' ', '\u00a0')),
  );
});

/** A cohort whose only place is offered to the first of two people, and its instructor. */
async function createOffered() {
  const owner = await createOwner({ capacity: 1 });
  const expiresAt = new Date(start + 31 * hour);
  const offered = { status: 'offered', offerNo: 1, expiresAt } as const;
  const first = await createEnrollment(owner.cohort, offered);
  const next = await createEnrollment(owner.cohort, { status: 'waitlisted', queueNo: 2 });
  const path = `enrollments/${first.id}/`;
  const withdraw = () => owner.post(`${path}withdraw/`);
  return { ...owner, first, next, path, withdraw };
}

test('an offer that is taken back goes to the next person at once, and both are told, once', async () => {
  const { accepted } = given.resend;
  const { cohort, first, next, withdraw } = await createOffered();
  const withdrawn = await withdraw();

  const event = { actor: 'owner', from_status: 'offered', to_status: 'removed' };
  const body = { status: 'removed', expires_at: null, events: [{}, event] };
  expect(withdrawn).toMatchObject({ status: 200, body });
  setTime(start + hour);
  expect(await withdraw()).toEqual(withdrawn);
  expect(await countsOf(cohort)).toEqual({ removed: 1, offered: 1 });
  expect(await mailsOf(first.person)).toEqual(['removed']);
  expect(await mailsOf(next.person)).toEqual(['offer']);
  expect(accepted).toHaveLength(2);
  const link = linkIn(mailsTo(next.person.email, accepted)[0]);
  const taken = await participate('accept', link, next.id);
  expect(taken).toMatchObject({ status: 200, body: { status: 'enrolled' } });
});

test('someone who has accepted meanwhile keeps the place, and an expired offer has already passed on', async () => {
  const { cohort, first, next, path, post, withdraw } = await createOffered();
  expect((await post(`${path}accept/`)).status).toBe(200);
  setTime(start + hour);
  expect(await withdraw()).toMatchObject(refused('enrollment_transition'));
  expect(await statusOf(cohort, first.person)).toBe('enrolled');
  expect(await statusOf(cohort, next.person)).toBe('waitlisted');

  setTime(start);
  const over = await createOffered();
  setTime(start + 31 * hour);
  expect(await over.withdraw()).toMatchObject(refused('enrollment_transition'));
  expect(await statusOf(over.cohort, over.first.person)).toBe('expired');
  expect(await statusOf(over.cohort, over.next.person)).toBe('offered');
});
