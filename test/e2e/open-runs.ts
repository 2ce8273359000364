import type { Page } from '@playwright/test';
import type { OpenRun } from '#features/cohorts/schema.ts';
import { selectedCourse } from './cohorts.ts';
import { makeLesson, publishLesson } from './lessons.ts';
import { courseNames } from './people.ts';
import { askApi } from './support.ts';

/** An evergreen course with two published lessons. */
export async function makeEvergreen(page: Page): Promise<void> {
  const course = { name: courseNames[1], course_type: 'evergreen' };
  await askApi(page, 'POST', '/api/courses/', course);
  for (const title of [courseNames[2], courseNames[0]]) {
    await publishLesson(page, await makeLesson(page, title ?? '', 'One sentence.'));
  }
}

/** The open run of the selected course, by the API; if there is one already, it stays as it is. */
export async function openRun(page: Page): Promise<OpenRun> {
  const { id } = await selectedCourse(page);
  return (await askApi(page, 'POST', `/api/courses/${id}/enrollment/`, {})) as OpenRun;
}

/** The open run of a new evergreen course, by the API. */
export async function makeRun(page: Page, settings: object = {}): Promise<OpenRun> {
  await makeEvergreen(page);
  const { id } = await openRun(page);
  return (await askApi(page, 'PATCH', `/api/cohorts/${id}/`, settings)) as OpenRun;
}
