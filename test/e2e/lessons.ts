import type { Page } from '@playwright/test';
import type { LessonDocument } from '#features/documents/document.ts';
import type { Lesson } from '#features/lessons/schema.ts';
import { selectedCourse } from './cohorts.ts';
import { askApi } from './support.ts';

/** The text of a lesson with these paragraphs. */
export function documentOf(...paragraphs: string[]): LessonDocument {
  const content = paragraphs.map((text) => ({
    type: 'paragraph',
    content: [{ type: 'text', text }],
  }));
  return { type: 'doc', content };
}

/** A lesson of the selected course, a draft, by the API; without paragraphs it is empty. */
export async function makeLesson(
  page: Page,
  title: string,
  ...paragraphs: string[]
): Promise<Lesson> {
  const { id } = await selectedCourse(page);
  const input = { title, ...(paragraphs.length > 0 && { document: documentOf(...paragraphs) }) };
  return (await askApi(page, 'POST', `/api/courses/${id}/lessons/`, input)) as Lesson;
}

/** Publishes a lesson as it was made, by the API. */
export async function publishLesson(page: Page, lesson: Pick<Lesson, 'id' | 'draft_version'>) {
  const input = { draft_version: lesson.draft_version };
  await askApi(page, 'POST', `/api/lessons/${lesson.id}/publish/`, input);
}

/** Saves a lesson as another tab would, and returns its new version. */
export async function saveElsewhere(
  page: Page,
  { id, title }: Pick<Lesson, 'id' | 'title'>,
  ...paragraphs: string[]
): Promise<number> {
  const lesson = (await askApi(page, 'GET', `/api/lessons/${id}/`)) as Lesson;
  const input = { title, document: documentOf(...paragraphs), based_on: lesson.draft_version };
  const saved = await askApi(page, 'PUT', `/api/lessons/${id}/draft/`, input);
  return (saved as Lesson).draft_version;
}

/** What the server has of a lesson: the words of its blocks. */
export async function storedText(page: Page, id: string): Promise<string> {
  const { document } = (await askApi(page, 'GET', `/api/lessons/${id}/`)) as Lesson;
  return (
    JSON.stringify(document)
      .match(/(?<="text":")[^"]*(?=")/g)
      ?.join(' ') ?? ''
  );
}
