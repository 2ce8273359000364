import type { Locator, Page } from '@playwright/test';
import type { LessonDocument } from '#features/documents/document.ts';
import type { Lesson } from '#features/lessons/schema.ts';
import { selectedCourse } from './cohorts.ts';
import { biology } from './settings.ts';
import { askApi, expect, openReady, signInWith } from './support.ts';

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

/** A lesson of a new author, in the editor, with the cursor in its text. */
export async function openEditor(page: Page, ...paragraphs: string[]): Promise<Lesson> {
  await signInWith(page, [biology]);
  const lesson = await makeLesson(page, 'The kitchen', ...paragraphs);
  await openReady(page, `/lessons/${lesson.id}`);
  await textOf(page).locator('p').first().click();
  return lesson;
}

/** The text in the editor. */
export function textOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Text of the lesson' });
}

/** What says whether it is saved. */
export function saveLine(page: Page): Locator {
  return page.locator('.save-line');
}

/** The lesson as the server has it, after its uploads and a save. */
export async function savedLesson(page: Page, id: string): Promise<Lesson> {
  await expect(page.getByRole('region', { name: 'Files being uploaded' })).toBeHidden();
  await page.keyboard.press('Control+s');
  await expect(saveLine(page)).toContainText('Saved');
  return (await askApi(page, 'GET', `/api/lessons/${id}/`)) as Lesson;
}
