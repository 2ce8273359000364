import { expect, test } from 'vitest';
import {
  type OpeningRun,
  type SectionOverride,
  sectionAccess,
} from '#features/lessons/section-access.ts';

const openRun: OpeningRun = {
  kind: 'open',
  startsOn: '2026-01-01',
  timeZone: 'UTC',
};

function cohortIn(timeZone: string): OpeningRun {
  return { kind: 'dated', startsOn: '2027-01-04', timeZone };
}

const none: SectionOverride = {
  mode: 'hidden',
  opensLocal: null,
  opensAt: null,
  meetingEdge: null,
  meetingStartsAt: null,
  meetingMinutes: null,
};

/** When a section opens, and that it is closed until a moment before it. */
async function openingOf(
  releaseDays: number | null,
  run: OpeningRun,
  override: SectionOverride | null,
  startedAt = Date.UTC(2026, 9, 20, 15, 30),
) {
  const at = (now: number) =>
    sectionAccess({ releaseDays }, override, run, { startedAt }, new Date(now));
  const found = await at(startedAt);
  if (found.state === 'later') {
    const opensAt = found.opensAt.getTime();
    expect(await at(opensAt - 1)).toEqual(found);
    expect(await at(opensAt)).toEqual({ state: 'open' });
  }
  return found;
}

test('in an open run, a day is 24 hours from enrolling, also when the clocks change', async () => {
  expect(await openingOf(null, openRun, null)).toEqual({ state: 'open' });
  expect(await openingOf(0, openRun, null)).toEqual({ state: 'open' });
  for (const days of [7, 14]) {
    // In most of Europe clocks go back after the fifth day.
    const opensAt = new Date(Date.UTC(2026, 9, 20 + days, 15, 30));
    const later = { state: 'later', opensAt, opensLocal: null };
    expect(await openingOf(days, openRun, null)).toEqual(later);
  }
});

test.each([
  ['America/Vancouver', '2027-01-04T08:00:00Z', '2027-01-11T08:00:00Z', '2027-03-15T07:00:00Z'],
  ['Asia/Kathmandu', '2027-01-03T18:15:00Z', '2027-01-10T18:15:00Z', '2027-03-14T18:15:00Z'],
])('in a cohort in %s, days begin there, with the first day', async (zone, first, week, tenth) => {
  const cohort = cohortIn(zone);
  const opensOn = (days: number) => openingOf(days, cohort, null);
  // Before the first day, too.
  expect(await openingOf(null, cohort, null)).toEqual({ state: 'open' });
  expect(await opensOn(0)).toMatchObject({ opensAt: new Date(first), opensLocal: '2027-01-04' });
  expect(await opensOn(7)).toMatchObject({ opensAt: new Date(week), opensLocal: '2027-01-11' });
  expect(await opensOn(70)).toMatchObject({ opensAt: new Date(tenth), opensLocal: '2027-03-15' });
  const moved = { ...cohort, startsOn: '2027-01-11' };
  expect(await openingOf(0, moved, null)).toEqual(await opensOn(7));
});

test('a cohort can open a section on a date, at a time, or never, in place of its rule', async () => {
  const cohort = cohortIn('America/Vancouver');
  for (const opensLocal of ['2027-01-20', '2027-01-20T00:00']) {
    const opensAt = Date.UTC(2027, 0, 20, 8);
    const dated: SectionOverride = { ...none, mode: 'date', opensLocal, opensAt };
    const later = { state: 'later', opensAt: new Date(opensAt), opensLocal };
    expect(await openingOf(null, cohort, dated)).toEqual(later);
    expect(await openingOf(7, cohort, dated)).toEqual(later);
  }
  expect(await openingOf(null, cohort, none)).toEqual({ state: 'hidden' });
});

test('a section opens with the start or the end of a live session, and by its rule without one', async () => {
  const cohort = cohortIn('America/Vancouver');
  const session: SectionOverride = {
    ...none,
    mode: 'meeting',
    meetingEdge: 'start',
    meetingStartsAt: Date.UTC(2027, 0, 13, 2),
    meetingMinutes: 90,
  };
  expect(await openingOf(null, cohort, session)).toMatchObject({
    opensAt: new Date('2027-01-13T02:00:00Z'),
    opensLocal: '2027-01-12T18:00',
  });
  expect(await openingOf(7, cohort, { ...session, meetingEdge: 'end' })).toMatchObject({
    opensAt: new Date('2027-01-13T03:30:00Z'),
    opensLocal: '2027-01-12T19:30',
  });
  // As rows have one that was canceled or deleted.
  const gone = { ...session, meetingStartsAt: null, meetingMinutes: null };
  expect(await openingOf(7, cohort, gone)).toEqual(await openingOf(7, cohort, null));
  expect(await openingOf(null, cohort, gone)).toEqual({ state: 'open' });
});
