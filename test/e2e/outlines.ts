import type { Locator, Page } from '@playwright/test';
import { selectedCourse } from './cohorts.ts';
import { askApi } from './support.ts';

type Made = { id: string; draft_version: number };

/** A lesson of a few words. */
const document = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Write for ten minutes.' }] }],
};

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
    const section = (await askApi(page, 'POST', path, { title })) as Made;
    for (const lesson of lessons) {
      const made = (await askApi(page, 'POST', `/api/sections/${section.id}/lessons/`, {
        title: lesson,
        document,
      })) as Made;
      ids[lesson] = made.id;
      if (isPublished) {
        await askApi(page, 'POST', `/api/lessons/${made.id}/publish/`, {
          draft_version: made.draft_version,
        });
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
