import { expect, type Page } from '@playwright/test';
import {
  centralEuropean,
  centralEuropeanCourse,
  clientOf,
  longCourseName,
  newEmail,
  signedIn,
} from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** Home and the course selector in states that depend on the courses. */
export const homeViews: View[] = [
  { name: 'home-one-course', open: (page) => openHome(page, 1) },
  { name: 'home-many-courses', open: (page) => openHome(page, 12) },
  { name: 'home-long-name', open: openLongName },
  { name: 'home-central-european', open: openCentralEuropean },
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

async function filterCourses(page: Page, text: string): Promise<void> {
  await openHome(page, 12);
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
