import { expect, test } from 'vitest';
import { whyNoOffer } from '#features/people/why-no-offer.ts';
import { createEnrollment } from '#support/factories.ts';
import { createOwner } from '../roster-files/support.ts';
import { startFresh } from './fresh.ts';
import { start } from './storm.ts';

startFresh();

const now = new Date(start);
const at = (hours: number) => new Date(now.getTime() + hours * 60 * 60 * 1000);

const cohort = {
  startsAt: at(100),
  endsAt: at(1_000),
  joinMode: 'open' as const,
  enrollmentOpensAt: null,
  enrollmentClosesAt: null,
  enrollmentOverride: null,
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
  const { client, cohort } = await createOwner({ capacity: 2, ...values });
  const { id } = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });

  for (const over_capacity of [false, true]) {
    const path = `/api/cohorts/${cohort.id}/enrollments/${id}/offer/`;
    const refused = await client.post(path, { over_capacity });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code });
  }
});
