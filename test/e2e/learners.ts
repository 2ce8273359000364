import type { Page } from '@playwright/test';
import type { DocumentNode } from '#features/documents/document.ts';
import type { Lesson } from '#features/lessons/schema.ts';
import { comingDays, pastDays, selectedCourse } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { publishLesson } from './lessons.ts';
import { clientOf, languageOf, newEmail } from './people.ts';
import { askApi } from './support.ts';

/** A block of text. */
export function textBlock(
  text: string,
  block: Omit<DocumentNode, 'content'> = { type: 'paragraph' },
): DocumentNode {
  return { ...block, content: [{ type: 'text', text }] };
}

/** A video, which no test plays at its provider. */
export const videoBlock = {
  type: 'video',
  attrs: { src: 'https://www.youtube.com/watch?v=abcdefghijk', title: '' },
};

/** Published lessons at the end of the selected course, by the API; resolves to their ids. */
export async function publishLessons(
  page: Page,
  lessons: { title: string; content: DocumentNode[] }[],
): Promise<{ course: string; ids: string[] }> {
  const { id: course } = await selectedCourse(page);
  const ids: string[] = [];
  for (const { title, content } of lessons) {
    const input = { title, document: { type: 'doc', content } };
    const path = `/api/courses/${course}/lessons/`;
    const made = (await askApi(page, 'POST', path, input)) as Lesson;
    await publishLesson(page, made);
    ids.push(made.id);
  }
  return { course, ids };
}

/** Someone in a cohort of the selected course: the link to their page, and where they are. */
export async function enrollLearner(page: Page, name: string, email = newEmail()) {
  const people = [{ name, email, language: await languageOf(page) }];
  const { id, public_url: url, people: enrolled } = await cohortWith(page, people);
  const { text } = await (await clientOf(page)).mailTo(email, '/p/');
  return {
    link: /\/p\/[\w.-]+/.exec(text)?.[0] ?? '',
    cohort: id,
    enrollment: enrolled[0]?.id ?? '',
    slug: url.split('/').at(-1) ?? '',
  };
}

/** Moves a cohort of `enrollLearner` to days that are over. */
export async function endCohort(page: Page, id: string): Promise<void> {
  const zone = { time_zone: 'America/Vancouver' };
  const window = { enrollment_opens_local: null, enrollment_closes_local: null };
  const expected = { ...comingDays, ...zone, ...window };
  await askApi(page, 'POST', `/api/cohorts/${id}/move/`, { ...pastDays, ...zone, expected });
}
