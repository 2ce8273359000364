import { addPerson } from './enrollments.ts';
import { makeEvergreen, makeRun } from './open-runs.ts';
import { someone } from './people.ts';
import { type View, viewsOf } from './view.ts';

const ownerBefore = viewsOf('the owner of an evergreen course with lessons', async (page) => {
  await makeEvergreen(page);
  return {};
});

const ownerOfEmpty = viewsOf('the owner of an open run without people', async (page) => {
  const { id } = await makeRun(page);
  return { run: id };
});

const ownerOfRun = viewsOf('the owner of an open run with people', async (page) => {
  const run = await makeRun(page, { capacity: 3, price_minor: 6_000, currency: 'EUR' });
  const added = [];
  for (const index of [0, 1, 2]) {
    added.push(await addPerson(page, run, someone(index)));
  }
  return { run: run.id, enrollment: added[0]?.id ?? '' };
});

/** The Enrollment pages of an evergreen course, its people, and what Home says of them. */
export const selfPacedViews: View[] = [
  ownerBefore('enrollment-before', '/cohorts'),
  ownerOfEmpty('enrollment-nobody', '/cohorts'),
  ownerOfRun('enrollment', '/cohorts'),
  ownerOfRun('enrollment-menu', '/cohorts', {
    isOverlay: true,
    presses: ['[popovertarget="run-menu"]'],
  }),
  ownerOfRun('enrollment-settings', '/cohorts/[run]/settings'),
  ownerOfRun('run-people', '/cohorts/[run]/roster'),
  // No one is.
  ownerOfRun('run-stuck', '/cohorts/[run]/roster?standing=stuck'),
  ownerOfRun('run-roster-person', '/cohorts/[run]/roster/[enrollment]'),
  ownerBefore('home-lessons', '/'),
  ownerOfEmpty('home-nobody', '/'),
  ownerOfRun('home-people', '/'),
];
