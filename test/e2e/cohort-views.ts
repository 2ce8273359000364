import { expect, type Page } from '@playwright/test';
import {
  type Cohort,
  comingDays,
  dayFromToday,
  makeCohort,
  pastDays,
  runningDays,
} from './cohorts.ts';
import { courseNames, makeCourse, peopleNames } from './people.ts';
import { askApi, untilReady } from './support.ts';
import { makeMistakes, opener, type View, viewsOf } from './view.ts';

const ownerWithout = viewsOf('the owner of a course without cohorts', async (page) => {
  await makeCourse(page);
  return {};
});

const ownerOfAll = viewsOf('the owner of cohorts in each state', makeList);

const published = viewsOf('the owner of a published cohort', (page) =>
  makeDetailed(page, {}, 'publish'),
);

const ownerOfDraft = viewsOf('the owner of a draft', (page) =>
  makeDetailed(page, {
    enrollment_opens_local: `${dayFromToday(10)}T10:00`,
    enrollment_closes_local: dayFromToday(30),
  }),
);

const trashed = viewsOf('the owner of a cohort in the trash', (page) =>
  makeDetailed(page, {}, 'trash'),
);

/** The pages of cohorts in their states. */
export const cohortViews: View[] = [
  ownerWithout('cohorts-empty', '/cohorts'),
  ownerWithout('new-cohort', '/cohorts/new', { until: '.cohort-preview' }),
  ownerWithout('new-cohort-table', '/cohorts/new', {
    isExample: true,
    act: chooseWeeks,
    until: '.session-sheet tbody tr',
  }),
  ownerWithout('new-cohort-mistakes', '/cohorts/new', { act: swapDays }),
  ownerOfAll('cohorts', '/cohorts', { isExample: true }),
  ownerOfAll('cohorts-calendar', '/cohorts', { act: showCalendar }),
  ownerOfAll('cohorts-archive', '/cohorts/archive'),
  ownerOfAll('cohorts-trash', '/cohorts/trash'),
  published('cohort-published', '/cohorts/[id]', { isExample: true }),
  published('cohort-menu', '/cohorts/[id]', {
    isOverlay: true,
    presses: ['[popovertarget="cohort-menu"]'],
  }),
  published('cohort-settings-published', '/cohorts/[id]/settings'),
  published('cohort-move', '/cohorts/[id]/move', { act: planMove }),
  published('cohort-duplicate', '/cohorts/[id]/duplicate'),
  published('cohort-preview', '/cohorts/[id]/preview'),
  published('public-cohort', '/c/[slug]', { isLoggedOut: true }),
  ownerOfDraft('cohort-draft', '/cohorts/[id]'),
  ownerOfDraft('publish', '/cohorts/[id]', {
    isOverlay: true,
    presses: [opener('publish-cohort')],
  }),
  trashed('cohort-trashed', '/cohorts/[id]'),
];

/** The id of a cohort, and the end of its public address. */
export function named({ id, public_url: url }: Cohort): { id: string; slug: string } {
  return { id, slug: url.split('/').at(-1) ?? '' };
}

/** A cohort of a new course, with everything that its public page can show. */
export async function makeDetailed(
  page: Page,
  values: object,
  ...actions: Parameters<typeof makeCohort>[2][]
): Promise<{ id: string; slug: string }> {
  await makeCourse(page);
  const cohort = {
    name: courseNames[2] ?? '',
    ...comingDays,
    description: `${courseNames[0]}\n\n${courseNames[1]}`,
    place: courseNames[3],
    welcome_note: courseNames[0],
    capacity: 20,
    minimum_people: 6,
    shows_minimum: true,
    price_minor: 48_000,
    early_price_minor: 42_000,
    early_until_local: dayFromToday(20),
    currency: 'CAD',
    terms_url: 'https://example.org/terms',
    refund_note: courseNames[1],
    second_teacher: peopleNames[1],
    second_teacher_line: courseNames[2],
    meetings: [41, 55, 62].map((days, index) => ({
      title: courseNames[index],
      starts_local: `${dayFromToday(days)}T18:00`,
      duration_minutes: 90,
      public_line: courseNames[3],
    })),
    days_off: [{ on_date: dayFromToday(48), reason: courseNames[3] }],
    ...values,
  };
  return named(await makeCohort(page, cohort, ...actions));
}

/** A course with a cohort in each state, and a calendar. */
async function makeList(page: Page) {
  await makeCourse(page);
  const title = (index: number) => courseNames[index % courseNames.length] ?? '';
  const make = (index: number, values: object, ...actions: Parameters<typeof makeCohort>[2][]) =>
    makeCohort(page, { name: title(index), ...comingDays, ...values }, ...actions);
  await make(0, { ...runningDays, capacity: 18 }, 'publish');
  await make(1, { capacity: 20 }, 'publish');
  const opens = { enrollment_opens_local: `${dayFromToday(20)}T10:00` };
  await make(0, { time_zone: 'Europe/Paris', ...opens }, 'publish');
  await make(2, { capacity: 60, enrollment_closes_local: dayFromToday(-3) }, 'publish');
  await make(3, { capacity: 1 });
  for (let index = 0; index < 7; index += 1) {
    await make(index, { ...pastDays, capacity: 12 }, 'publish');
  }
  await make(1, pastDays, 'publish', 'archive');
  await make(2, {}, 'trash');
  await askApi(page, 'POST', '/api/calendar-feed/');
  return {};
}

/** Opens the part in which the link to the calendar is replaced or turned off. */
async function showCalendar(page: Page): Promise<void> {
  await page.locator('.calendar-links + details summary').click();
}

/** The sessions of three weeks, in their table. */
async function chooseWeeks(page: Page): Promise<void> {
  await untilReady(page);
  await page.locator('[name="starts_on"]').fill(comingDays.starts_on);
  await page.locator('[name="weeks"]').fill('3');
  await page.locator('.weekday-picker label').first().click();
}

/** The last day is before the first. */
async function swapDays(page: Page): Promise<void> {
  await page.locator('[name="starts_on"]').fill(comingDays.ends_on);
  await page.locator('[name="ends_on"]').fill(comingDays.starts_on);
  await makeMistakes('#new-cohort')(page);
}

async function planMove(page: Page): Promise<void> {
  await page.locator('[name="starts_on"]').fill(dayFromToday(48));
  await page.locator('#dates button[type="submit"]').click();
  await expect(page.locator('.before-after').first()).toBeVisible();
}
