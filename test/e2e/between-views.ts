import { expect, type Page } from '@playwright/test';
import { askToBeTold, courseUrl } from './between.ts';
import { type Cohort, comingDays, dayFromToday, makeCohort } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { courseNames, languageOf, makeCourse, newEmail, someone } from './people.ts';
import { askApi } from './support.ts';
import { makeMistakes, type View, viewsOf } from './view.ts';

const later = { starts_on: dayFromToday(150), ends_on: dayFromToday(190) };

const open = viewsOf('a reader of a course with an open cohort', async (page) => {
  await makeCourse(page);
  await publish(page, { price_minor: 48_000, currency: 'CAD' });
  await publish(page, { ...later, enrollment_opens_local: `${dayFromToday(100)}T09:00` });
  return { slug: await courseSlug(page) };
});

const closed = viewsOf('a reader of a course without an open cohort', async (page) => {
  await makeCourse(page);
  const opens = { enrollment_opens_local: `${dayFromToday(20)}T09:00` };
  const { public_url: cohort } = await publish(page, opens);
  const { public_url: invitation } = await publish(page, { ...later, join_mode: 'invitation' });
  const [course, language] = [await courseUrl(page), await languageOf(page)];
  const { link } = await askToBeTold(page, { course, cohort, language });
  return {
    slug: course.split('/').at(-1) ?? '',
    invitation: invitation.split('/').at(-1) ?? '',
    confirm: new URL(link).search.slice(1),
  };
});

const empty = viewsOf('a reader of a course without cohorts', async (page) => {
  await makeCourse(page);
  const { id } = await publish(page);
  await askApi(page, 'POST', `/api/cohorts/${id}/unpublish/`);
  return { slug: await courseSlug(page) };
});

/** The first cohort in the list of choices is full. */
const moving = viewsOf('someone who moves to another cohort', async (page) => {
  await makeCourse(page);
  const cohort = await publish(page, later);
  await addPerson(page, await publish(page, { capacity: 1 }), someone(0));
  const { id } = await addPerson(page, cohort, someone(0));
  return { id: cohort.id, enrollment: id };
});

/** What leads from one cohort to another: the page of a course, and moving someone. */
export const betweenViews: View[] = [
  open('course-open', '/c/[slug]'),
  closed('course-closed', '/c/[slug]', { isForNights: true }),
  closed('enroll-closed', '/c/[invitation]', { isForNights: true, until: '.other-dates' }),
  closed('interest-mistakes', '/c/[slug]', {
    isForNights: true,
    act: makeMistakes('.public-box', 2),
  }),
  closed('interest-sent', '/c/[slug]', {
    isForNights: true,
    act: askOnPage,
    until: '.public-sent',
  }),
  closed('confirm-interest', '/p/confirm?[confirm]', { isForNights: true }),
  closed('confirm-interest-done', '/p/confirm?[confirm]', {
    isForNights: true,
    isFresh: true,
    act: confirm,
  }),
  closed('cohorts-interested', '/cohorts', {
    isForNights: true,
    isFresh: true,
    before: async (page, made) => {
      await page.goto(`/p/confirm?${made['confirm']}`);
      await confirm(page);
    },
  }),
  empty('course-empty', '/c/[slug]', { isForNights: true }),
  moving('person-transfer', '/cohorts/[id]/roster/[enrollment]', {
    isForNights: true,
    until: '#person-transfer',
  }),
];

async function publish(page: Page, values: object = {}): Promise<Cohort> {
  return makeCohort(page, { name: courseNames[2] ?? '', ...comingDays, ...values }, 'publish');
}

async function courseSlug(page: Page): Promise<string> {
  return (await courseUrl(page)).split('/').at(-1) ?? '';
}

async function askOnPage(page: Page): Promise<void> {
  await page.locator('[name="email"]').fill(newEmail());
  await page.locator('[name="consent"]').check();
  await page.locator('.public-box button[type="submit"]').click();
}

async function confirm(page: Page): Promise<void> {
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main h1')).toBeFocused();
}
