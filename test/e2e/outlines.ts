import type { Locator, Page } from '@playwright/test';
import type { Lesson } from '#features/lessons/schema.ts';
import { selectedCourse } from './cohorts.ts';
import { documentOf, publishLesson } from './lessons.ts';
import { askApi } from './support.ts';

/** A lesson of a few words. */
const document = documentOf('Write for ten minutes.');

/**
 * Sections of the selected course with the titles of their lessons, by the API.
 *
 * @param isPublished whether people can read them
 * @returns the ids of the lessons, by their titles
 */
export async function makeOutline(
  page: Page,
  sections: Record<string, string[]>,
  isPublished = false,
): Promise<Record<string, string>> {
  const course = await selectedCourse(page);
  const ids: Record<string, string> = {};
  for (const [title, lessons] of Object.entries(sections)) {
    const path = `/api/courses/${course.id}/sections/`;
    const section = (await askApi(page, 'POST', path, { title })) as { id: string };
    for (const lesson of lessons) {
      const made = (await askApi(page, 'POST', `/api/sections/${section.id}/lessons/`, {
        title: lesson,
        document,
      })) as Lesson;
      ids[lesson] = made.id;
      if (isPublished) {
        await publishLesson(page, made);
      }
    }
  }
  return ids;
}

/** The outline as the server has it: `One: a b`. */
export async function storedOutline(page: Page): Promise<string[]> {
  const course = await selectedCourse(page);
  const content = (await askApi(page, 'GET', `/api/courses/${course.id}/content/`)) as {
    sections: { title: string | null; lessons: { title: string }[] }[];
  };
  return content.sections.map(({ title, lessons }) =>
    `${title ?? ''}: ${lessons.map((lesson) => lesson.title).join(' ')}`.trim(),
  );
}

/** The outline as the page shows it. */
export function shownOutline(page: Page): Promise<string[]> {
  return page.locator('.outline-section').evaluateAll((sections) =>
    sections.map((section) => {
      const titles = [...section.querySelectorAll('.outline-title')].map(
        ({ textContent }) => textContent,
      );
      return `${section.querySelector('h2')?.textContent ?? ''}: ${titles.join(' ')}`.trim();
    }),
  );
}

/** The button of the menu of a lesson or a section. */
export function menuOf(page: Page, title: string): Locator {
  return page.getByRole('button', { name: `More actions, ${title}`, exact: true });
}
