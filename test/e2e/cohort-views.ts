import { expect, type Page } from '@playwright/test';
import {
  type Cohort,
  comingDays,
  dayFromToday,
  makeCohort,
  pastDays,
  runningDays,
} from './cohorts.ts';
import { courseNames, signedIn, signedInAs } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** The pages of cohorts in their states. */
export const cohortViews: View[] = [
  { name: 'home-cohort', open: (page) => openList(page, '/') },
  { name: 'cohorts', open: (page) => openList(page, '/cohorts') },
  { name: 'cohorts-calendar', open: openCalendar },
  { name: 'cohorts-empty', open: openEmpty },
  { name: 'cohorts-evergreen', open: openEvergreen },
  { name: 'new-cohort', open: openNew },
  { name: 'new-cohort-filled', open: openFilled },
  { name: 'new-cohort-mistakes', open: openMistakes },
  { name: 'cohort-draft', open: (page) => openCohort(page, '') },
  { name: 'cohort-published', open: (page) => openCohort(page, '', 'publish') },
  { name: 'cohort-trashed', open: (page) => openCohort(page, '', 'trash') },
  { name: 'cohort-menu', isOverlay: true, open: openMenu },
  { name: 'cohort-settings', open: (page) => openCohort(page, '/settings') },
  { name: 'cohort-settings-published', open: (page) => openCohort(page, '/settings', 'publish') },
  { name: 'cohort-move', open: openMove },
  { name: 'cohort-move-refused', open: openRefused },
  { name: 'cohort-missing', open: openMissing },
  { name: 'cohort-duplicate', open: (page) => openCohort(page, '/duplicate') },
  { name: 'cohort-preview', open: (page) => openCohort(page, '/preview') },
  { name: 'public-cohort', open: openPublic },
  { name: 'cohorts-archive', open: (page) => openList(page, '/cohorts/archive') },
  { name: 'cohorts-trash', open: (page) => openList(page, '/cohorts/trash') },
];

/** A course of cohorts, for a new user. */
async function makeCourse(page: Page): Promise<void> {
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
}

/** The name of a course, which other suites already know as data. */
function title(index: number): string {
  return courseNames[index % courseNames.length] ?? '';
}

async function openList(page: Page, path: string): Promise<void> {
  await signedInAs(page, 'cohorts', () => makeList(page));
  await page.goto(path);
}

/** The page with the address of a calendar, and how it is replaced. */
async function openCalendar(page: Page): Promise<void> {
  await signedInAs(page, 'a calendar', async () => {
    await makeCourse(page);
    await makeCohort(page, { name: title(0), ...comingDays }, 'publish');
    await askApi(page, 'POST', '/api/calendar-feed/');
  });
  await page.goto('/cohorts');
  await page.locator('.calendar-links + details summary').click();
}

/** A course with a cohort in each state. */
async function makeList(page: Page): Promise<void> {
  await makeCourse(page);
  await makeCohort(page, { name: title(0), ...runningDays, capacity: 18 }, 'publish');
  await makeCohort(page, { name: title(1), ...comingDays, capacity: 20 }, 'publish');
  await makeCohort(
    page,
    {
      name: title(0),
      ...comingDays,
      time_zone: 'Europe/Paris',
      enrollment_opens_local: `${dayFromToday(20)}T10:00`,
    },
    'publish',
  );
  const closed = { enrollment_closes_local: dayFromToday(-3) };
  await makeCohort(page, { name: title(2), ...comingDays, capacity: 60, ...closed }, 'publish');
  await makeCohort(page, { name: title(3), ...comingDays, capacity: 1 });
  for (let index = 0; index < 7; index += 1) {
    await makeCohort(page, { name: title(index), ...pastDays, capacity: 12 }, 'publish');
  }
  await makeCohort(page, { name: title(1), ...pastDays }, 'publish', 'archive');
  await makeCohort(page, { name: title(2), ...comingDays }, 'trash');
}

async function openEmpty(page: Page): Promise<void> {
  await signedInAs(page, 'no cohorts', () => makeCourse(page));
  await page.goto('/cohorts');
}

async function openEvergreen(page: Page): Promise<void> {
  await signedIn(page, { courses: 2 });
  await page.goto('/cohorts');
}

async function openNew(page: Page): Promise<void> {
  await signedIn(page, { courses: 1 });
  await page.goto('/cohorts/new');
  // It comes with a script of its own.
  await expect(page.locator('.cohort-preview')).toBeAttached();
}

async function openFilled(page: Page): Promise<void> {
  await openNew(page);
  await page.locator('[name="starts_on"]').fill(comingDays.starts_on);
  await page.locator('[name="ends_on"]').fill(comingDays.ends_on);
  await page.locator('[name="capacity"]').fill('20');
}

/** The last day is before the first. */
async function openMistakes(page: Page): Promise<void> {
  await openNew(page);
  await page.locator('[name="starts_on"]').fill(comingDays.ends_on);
  await page.locator('[name="ends_on"]').fill(comingDays.starts_on);
  await page.locator('#new-cohort button[type="submit"]').click();
  await expect(page.locator('[aria-invalid="true"]').first()).toBeAttached();
}

type Actions = Parameters<typeof makeCohort>[2][];

async function openCohort(page: Page, path: string, ...actions: Actions): Promise<void> {
  const { id } = await signInWithCohort(page, ...actions);
  await page.goto(`/cohorts/${id}${path}`);
}

/** A cohort with everything that its public page can show, and its owner signed in. */
function signInWithCohort(page: Page, ...actions: Actions): Promise<Cohort> {
  return signedInAs(page, ['a cohort', ...actions].join(' '), () => makeDetailed(page, ...actions));
}

async function makeDetailed(page: Page, ...actions: Actions): Promise<Cohort> {
  await makeCourse(page);
  const cohort = {
    name: courseNames[2] ?? '',
    ...comingDays,
    description: `${courseNames[0]}\n\n${courseNames[1]}`,
    place: courseNames[3],
    capacity: 20,
    minimum_people: 6,
    shows_minimum: true,
    price_minor: 48_000,
    currency: 'CAD',
    enrollment_opens_local: `${dayFromToday(10)}T10:00`,
    enrollment_closes_local: dayFromToday(30),
  };
  return makeCohort(page, cohort, ...actions);
}

async function openMenu(page: Page): Promise<void> {
  await openCohort(page, '', 'publish');
  await page.locator('[popovertarget="cohort-menu"]').click();
  await expect(page.locator('#cohort-menu')).toBeVisible();
  await page.mouse.move(0, 0);
}

async function openMove(page: Page): Promise<void> {
  await openCohort(page, '/move');
  await page.locator('[name="starts_on"]').fill(dayFromToday(48));
  await page.locator('#dates button[type="submit"]').click();
  await expect(page.locator('.before-after')).toBeVisible();
}

/** The dates have changed since they were shown. */
async function openRefused(page: Page): Promise<void> {
  await openMove(page);
  const [, id] = /\/cohorts\/([^/]+)/.exec(page.url()) ?? [];
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { ends_on: dayFromToday(90) });
  // After the refusal, the page also reads the current dates.
  const refreshed = page.waitForResponse('**/RSC/R/cohorts/**');
  await page.locator('.planned button[type="submit"]').click();
  await refreshed;
  await expect(page.locator('#dates .alert')).toBeVisible();
}

async function openMissing(page: Page): Promise<void> {
  await signedInAs(page, 'missing', () => makeCourse(page));
  await page.goto('/cohorts/missing');
}

/** As someone who is not signed in sees it. */
async function openPublic(page: Page): Promise<void> {
  const { public_url: url } = await signInWithCohort(page, 'publish');
  await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
  await page.goto(url);
}
