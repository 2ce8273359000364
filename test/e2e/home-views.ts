import { expect, type Page } from '@playwright/test';
import { googlePeople } from '../../scripts/local/google-people.ts';
import {
  centralEuropean,
  centralEuropeanCourse,
  clientOf,
  courseNames,
  longCourseName,
  newEmail,
  signedIn,
} from './people.ts';
import { askApi, untilReady } from './support.ts';
import type { View } from './views.ts';

/** Home and the course selector in states that depend on the courses. */
export const homeViews: View[] = [
  { name: 'home-one-course', open: (page) => openHome(page, 1) },
  { name: 'home-many-courses', open: (page) => openHome(page, 12) },
  { name: 'home-long-name', open: openLongName },
  { name: 'home-central-european', open: openCentralEuropean },
  { name: 'home-picture', open: openPicture },
  { name: 'courses-filtered', isOverlay: true, open: (page) => filterCourses(page, 'al') },
  { name: 'courses-not-found', isOverlay: true, open: (page) => filterCourses(page, 'zzz') },
];

async function openHome(page: Page, courses: number): Promise<void> {
  await signedIn(page, { courses });
  await page.goto('/');
}

async function openLongName(page: Page): Promise<void> {
  await (await clientOf(page)).signUp(newEmail());
  const course = { name: longCourseName, course_type: 'evergreen' };
  await askApi(page, 'POST', '/api/courses/', course);
  await page.goto('/');
}

/** Also opened by the test of the font. */
export async function openCentralEuropean(page: Page): Promise<void> {
  await (await clientOf(page)).signUp(newEmail(), centralEuropean);
  const course = { name: centralEuropeanCourse, course_type: 'cohort' };
  await askApi(page, 'POST', '/api/courses/', course);
  await page.goto('/');
}

/** A user with a picture at Google, which is drawn here. */
async function openPicture(page: Page): Promise<void> {
  const { email, picture } = googlePeople.pictured;
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path fill="#c96" d="M0 0h2v2H0"/><circle cx="1" cy="1" r=".6" fill="#456"/></svg>';
  await page.route(picture, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: drawing }),
  );
  const { origin } = await clientOf(page);
  await page.goto('/login');
  await page.locator('main button[type="submit"]').last().click();
  await page.getByRole('button', { name: email }).click();
  await page.waitForURL(`${origin}/**`);
  const courses = (await askApi(page, 'GET', '/api/courses/')) as unknown[];
  if (courses.length === 0) {
    const course = { name: courseNames[3], course_type: 'evergreen' };
    await askApi(page, 'POST', '/api/courses/', course);
  }
  await page.goto('/');
  const image = page.locator('main .avatar img');
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
}

async function filterCourses(page: Page, text: string): Promise<void> {
  await openHome(page, 12);
  // If it opens before its script is there, the list focuses the selected course, not the field.
  await untilReady(page);
  const sheetButton = page.locator('[popovertarget="sidebar"]');
  if (await sheetButton.isVisible()) {
    await sheetButton.click();
  }
  await page.locator('[popovertarget="courses"]').click();
  const search = page.locator('#courses input');
  await expect(search).toBeFocused();
  await search.fill(text);
  await page.mouse.move(0, 0);
}
