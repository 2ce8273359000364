import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { googlePeople } from '../../scripts/local/google-people.ts';
import { pageList } from '../page-list.ts';
import {
  centralEuropean,
  centralEuropeanCourse,
  clientOf,
  courseNames,
  longCourseName,
  makeCourses,
  newEmail,
} from './people.ts';
import { askApi, untilReady } from './support.ts';
import { press, type View, viewsOf } from './view.ts';

const newcomer = viewsOf('someone without a course', async () => ({}));

const owner = viewsOf('the owner of two courses', async (page) => {
  await makeCourses(page, 2);
  return {};
});

const ownerOfMany = viewsOf('the owner of twelve courses', async (page) => {
  await makeCourses(page, 12);
  return {};
});

const ownerOfLong = viewsOf('the owner of a course with a long name', async (page) => {
  await askApi(page, 'POST', '/api/courses/', { name: longCourseName, course_type: 'evergreen' });
  return {};
});

const centralEuropeanOwner = viewsOf('the owner of a Polish course', async (page) => {
  await (await clientOf(page)).signUp(newEmail(), centralEuropean);
  const course = { name: centralEuropeanCourse, course_type: 'cohort' };
  await askApi(page, 'POST', '/api/courses/', course);
  return {};
});

const centralEuropeanHome = centralEuropeanOwner('home-central-european', '/');

/** For the test of the font. */
export const openCentralEuropean = centralEuropeanHome.open;

/** Every page in the shell but those of lessons, cohorts and people, by its path. */
const shellPages = pageList
  .filter(({ path, reader }) => reader === 'instructor' && !/^\/(cohorts|lessons)|\[/.test(path))
  .map(({ path }) => owner(path.slice(1).replace('/', '-') || 'home', path));

const courseButton = '[popovertarget="courses"]';
const newCourse = [courseButton, '[commandfor="new-course"]'];
const deleteCourse = ['[commandfor="delete-course"]'];

/** The pages of courses and of the account, and all that opens on them but the settings' own. */
export const homeViews: View[] = [
  newcomer('first-course', '/onboarding/course'),
  newcomer('account-menu', '/onboarding/course', {
    isOverlay: true,
    presses: ['[popovertarget="user-menu"]'],
  }),
  ...shellPages,
  owner('sidebar', '/', {
    isExample: true,
    isOverlay: true,
    maxWidth: 767,
    presses: ['[popovertarget="sidebar"]'],
  }),
  owner('user-menu', '/', {
    isExample: true,
    isOverlay: true,
    presses: ['[popovertarget="user-menu"]'],
  }),
  owner('new-course', '/', { isExample: true, isOverlay: true, presses: newCourse }),
  owner('delete-course', '/settings', { isExample: true, isOverlay: true, presses: deleteCourse }),
  owner('delete-account', '/settings', {
    isOverlay: true,
    presses: ['[commandfor="delete-account"]'],
  }),
  owner('settings-leave', '/settings', { isOverlay: true, act: leave }),
  owner('failure', '/', {
    isExample: true,
    isOverlay: true,
    presses: newCourse,
    act: fail,
    until: 'dialog[aria-labelledby="failure-title"]',
  }),
  owner('tooltip', '/', {
    isExample: true,
    isOverlay: true,
    followsPointer: true,
    presses: newCourse,
    // The first field of the dialog may get the focus late, which hides a tooltip.
    act: (page) =>
      expect(async () => {
        await page.mouse.move(0, 0);
        await page.locator('#new-course .dialog-close').hover();
        await expect(page.locator('.tip')).toBeVisible({ timeout: 2_000 });
      }).toPass(),
    until: '.tip',
  }),
  ownerOfMany('courses-many', '/', { isExample: true, isOverlay: true, act: openCourses }),
  ownerOfLong('home-long-name', '/'),
  centralEuropeanHome,
  viewsOf('someone with a picture', null)('home-picture', '/login', {
    act: logInWithPicture,
  }),
];

async function change(page: Page): Promise<void> {
  for (const name of ['name', 'first_name']) {
    const field = page.locator(`main section [name="${name}"]`).first();
    await field.fill(`${await field.inputValue()} B`);
  }
  await expect(page.locator('[data-changes]')).toHaveCount(2);
}

/** Asked on the way to another page. */
async function leave(page: Page): Promise<void> {
  await change(page);
  // Before that, the browser itself asks, which Playwright confirms.
  await untilReady(page);
  await press(page, '.sidebar-nav a[href="/"]');
  await expect(page.locator('#leave')).toBeVisible();
}

/** A new course that could not be created. */
async function fail(page: Page): Promise<void> {
  const json = { code: 'internal', message: 'No.', request_id: randomUUID() };
  await page.route('**/api/courses/', (route) => route.fulfill({ status: 500, json }));
  const form = page.locator('#new-course form');
  await form.locator('[name="name"]').fill(courseNames[0] ?? '');
  await form.locator('[name="course_type"]').first().check();
  await form.locator('button[type="submit"]').last().click();
}

/** If it opens before its script is there, the list may stay incomplete, without its field. */
async function openCourses(page: Page): Promise<void> {
  await untilReady(page);
  await press(page, courseButton);
}

/** A user with a picture at Google, which is drawn here. */
async function logInWithPicture(page: Page): Promise<void> {
  const { email, picture } = googlePeople.pictured;
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path fill="#c96" d="M0 0h2v2H0"/><circle cx="1" cy="1" r=".6" fill="#456"/></svg>';
  await page.route(picture, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: drawing }),
  );
  const { origin } = await clientOf(page);
  await page.locator('main button[type="submit"]').last().click();
  await page.getByRole('button', { name: email }).click();
  await page.waitForURL(`${origin}/**`);
  const courses = (await askApi(page, 'GET', '/api/courses/')) as unknown[];
  if (courses.length === 0) {
    await makeCourses(page, 1);
  }
  await page.goto('/');
  const image = page.locator('main .avatar img');
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
}
