import { expect, test } from 'vitest';
import {
  cohortStatus,
  enrollmentState,
  type StatusFacts,
} from '#features/cohorts/cohort-status.ts';

const at = (day: string) => new Date(`2027-${day}T00:00:00Z`);

/** Published, from 10 to 20 February; enrollment is open from 1 to 5 February, for 10 people. */
const cohort: StatusFacts = {
  startsAt: at('02-10'),
  endsAt: at('02-20'),
  joinMode: 'open',
  enrollmentOpensAt: at('02-01'),
  enrollmentClosesAt: at('02-05'),
  enrollmentOverride: null,
  capacity: 10,
  waitlist: true,
  publishedAt: at('01-01'),
  archivedAt: null,
  deletedAt: null,
};

const before = at('01-15');
const open = at('02-03');
const closed = at('02-07');
const during = at('02-15');

const rows: [string, Partial<StatusFacts>, Date, [number, number], string, string][] = [
  ['in the trash', { deletedAt: open, archivedAt: open }, open, [0, 0], 'trashed', 'not_published'],
  ['archived', { archivedAt: open }, open, [0, 0], 'archived', 'closed'],
  ['a draft', { publishedAt: null }, during, [0, 0], 'draft', 'not_published'],
  [
    'an archived draft',
    { publishedAt: null, archivedAt: open },
    open,
    [0, 0],
    'archived',
    'not_published',
  ],
  ['over', {}, at('02-25'), [0, 0], 'finished', 'closed'],
  ['over at this moment', {}, at('02-20'), [0, 0], 'finished', 'closed'],
  ['in its last millisecond', {}, new Date(at('02-20').getTime() - 1), [0, 0], 'running', 'closed'],
  ['running', {}, during, [0, 0], 'running', 'closed'],
  ['running from this moment', {}, at('02-10'), [0, 0], 'running', 'closed'],
  [
    'running and still open',
    { enrollmentClosesAt: at('02-18') },
    during,
    [3, 0],
    'running',
    'open',
  ],
  ['before enrollment', {}, before, [0, 0], 'scheduled', 'not_yet'],
  [
    'in the last millisecond before enrollment',
    {},
    new Date(at('02-01').getTime() - 1),
    [0, 0],
    'scheduled',
    'not_yet',
  ],
  ['enrolling from this moment', {}, at('02-01'), [0, 0], 'enrolling', 'open'],
  ['enrolling', {}, open, [9, 0], 'enrolling', 'open'],
  ['enrolling, with a queue before newcomers', {}, open, [9, 2], 'enrolling', 'waitlist'],
  [
    'enrolling, with a queue that is closed',
    { waitlist: false },
    open,
    [9, 2],
    'enrolling',
    'full',
  ],
  ['without a limit', { capacity: null }, open, [5_000, 0], 'enrolling', 'open'],
  ['full', {}, open, [10, 0], 'full', 'waitlist'],
  ['over its capacity', {}, open, [12, 3], 'full', 'waitlist'],
  ['full without a waitlist', { waitlist: false }, open, [10, 0], 'full', 'full'],
  ['closed at this moment', {}, at('02-05'), [0, 0], 'upcoming', 'closed'],
  ['closed', {}, closed, [0, 0], 'upcoming', 'closed'],
  ['open from publishing', { enrollmentOpensAt: null }, before, [0, 0], 'enrolling', 'open'],
  ['open until it begins', { enrollmentClosesAt: null }, closed, [0, 0], 'enrolling', 'open'],
  ['closed when it begins', { enrollmentClosesAt: null }, during, [0, 0], 'running', 'closed'],
  ['by invitation', { joinMode: 'invitation' }, open, [0, 0], 'upcoming', 'by_invitation'],
  [
    'by invitation, before any window',
    { joinMode: 'invitation' },
    before,
    [0, 0],
    'upcoming',
    'by_invitation',
  ],
  ['by approval', { joinMode: 'approval' }, open, [0, 0], 'enrolling', 'approval'],
  ['by approval and full', { joinMode: 'approval' }, open, [10, 3], 'full', 'approval'],
  [
    'by approval, before its window',
    { joinMode: 'approval' },
    before,
    [0, 0],
    'scheduled',
    'not_yet',
  ],
  ['by approval and closed', { joinMode: 'approval' }, closed, [0, 0], 'upcoming', 'closed'],
  ['by invitation and over', { joinMode: 'invitation' }, at('02-25'), [0, 0], 'finished', 'closed'],
  ['opened early', { enrollmentOverride: 'open' }, before, [0, 0], 'enrolling', 'open'],
  ['opened again', { enrollmentOverride: 'open' }, closed, [10, 0], 'full', 'waitlist'],
  ['opened while it runs', { enrollmentOverride: 'open' }, during, [0, 0], 'running', 'open'],
  ['opened, but over', { enrollmentOverride: 'open' }, at('02-25'), [0, 0], 'finished', 'closed'],
  ['closed early', { enrollmentOverride: 'closed' }, open, [0, 0], 'upcoming', 'closed'],
  [
    'closed before it opened',
    { enrollmentOverride: 'closed' },
    before,
    [0, 0],
    'upcoming',
    'closed',
  ],
];

test.each(rows)('a cohort that is %s', (_what, values, now, [taken, waiting], status, state) => {
  const facts = { ...cohort, ...values };

  const counts = { enrolled: taken, offered: 0, waitlisted: waiting, applied: 0, invited: 0 };
  expect(cohortStatus(facts, counts, now)).toBe(status);
  expect(enrollmentState(facts, counts, now)).toBe(state);
});
