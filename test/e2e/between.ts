import { expect, type Page } from '@playwright/test';
import { stampOfForm } from './enrollments.ts';
import { clientOf, newEmail } from './people.ts';
import { askApi } from './support.ts';

/** The public address of the selected course, as its owner copies it. */
export async function courseUrl(page: Page): Promise<string> {
  await page.goto('/cohorts');
  const url = await page.locator('#course-address').getAttribute('data-tip');
  return url ?? '';
}

/** Someone who has asked to know when enrollment opens, without a page: the link in their email. */
export async function askToBeTold(
  page: Page,
  { course, cohort, language }: { course: string; cohort: string; language: string },
): Promise<{ email: string; link: string }> {
  const [courseSlug, cohortSlug] = [course, cohort].map((url) => url.split('/').at(-1));
  const path = `/api/public/cohorts/${cohortSlug}/`;
  const stamp = await stampOfForm(page, path);
  const email = newEmail();
  const input = { email, consent: true, language, stamp };
  await askApi(page, 'POST', `/api/public/courses/${courseSlug}/interests/`, input);
  const { text } = await (await clientOf(page)).mailTo(email, '/p/', 1);
  const link = /http\S+\/p\/\S+/.exec(text)?.[0] ?? '';
  expect(link).toContain('/p/confirm?token=');
  return { email, link };
}
