import type { DocumentNode, LessonDocument } from '#features/documents/document.ts';
import type { CourseContent, Lesson, LessonVersion } from '#features/lessons/schema.ts';
import type { Client } from '#support/client.ts';
import { createCourseRow, createSignedInClient } from '#support/factories.ts';

/** A document of paragraphs. */
export function documentOf(...texts: string[]): LessonDocument {
  return { type: 'doc', content: texts.map(paragraph) };
}

export function paragraph(text: string): DocumentNode {
  return { type: 'paragraph', ...(text !== '' && { content: [{ type: 'text', text }] }) };
}

/** An instructor with a course. */
export async function createAuthor() {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id);
  // Sets the CSRF token.
  await client.get('/api/health/');
  return { client, send: client.send, user, course };
}

/** An instructor with one lesson. */
export async function createWriter(document?: LessonDocument) {
  const author = await createAuthor();
  const lesson = await addLesson(author.client, author.course.id, { document });
  return { ...author, lesson, path: `/api/lessons/${lesson.id}/` };
}

/** Sections of these titles with lessons of these, and the ids of all by their titles. */
export async function addOutline(
  { client, course }: { client: Client; course: { id: string } },
  outline: Record<string, string[]>,
) {
  const sections: Record<string, string> = {};
  const lessons: Record<string, string> = {};
  for (const [heading, titles] of Object.entries(outline)) {
    const { id } = await addSection(client, course.id, heading);
    sections[heading] = id;
    for (const title of titles) {
      const place = `/api/sections/${id}/lessons/`;
      lessons[title] = (await addLesson(client, course.id, { title }, place)).id;
    }
  }
  return { sections, lessons };
}

/** An instructor with such sections and lessons. */
export async function createOutline(outline: Record<string, string[]>) {
  const author = await createAuthor();
  return { ...author, ...(await addOutline(author, outline)) };
}

/** A lesson at the end of a course, or of a section. */
export async function addLesson(
  { send }: Client,
  courseId: string,
  input: { title?: string; document?: LessonDocument | undefined } = {},
  place = `/api/courses/${courseId}/lessons/`,
): Promise<Lesson> {
  return (await send<Lesson>('POST', place, { title: 'Said is enough', ...input })).body;
}

export async function addSection({ send }: Client, courseId: string, title: string) {
  return (await send<{ id: string }>('POST', `/api/courses/${courseId}/sections/`, { title })).body;
}

export async function contentOf({ send }: Client, courseId: string): Promise<CourseContent> {
  return (await send<CourseContent>('GET', `/api/courses/${courseId}/content/`)).body;
}

/** The titles of lessons by those of their sections. */
export function titlesIn({ sections }: CourseContent) {
  return sections.map(({ title, lessons }) => [title, ...lessons.map((lesson) => lesson.title)]);
}

/** Publishes what has this version of the draft. */
export function publish({ send }: Client, { id }: { id: string }, draftVersion = 0) {
  return send<Lesson>('POST', `/api/lessons/${id}/publish/`, { draft_version: draftVersion });
}

export function save<Answer>(
  { send }: Client,
  id: string,
  text: string | LessonDocument,
  basedOn: number,
) {
  const document = typeof text === 'string' ? documentOf(text) : text;
  const input = { title: 'Said is enough', document, based_on: basedOn };
  return send<Answer>('PUT', `/api/lessons/${id}/draft/`, input);
}

export async function versionsOf({ send }: Client, id: string): Promise<LessonVersion[]> {
  return (await send<LessonVersion[]>('GET', `/api/lessons/${id}/versions/`)).body;
}

export async function lessonOf({ send }: Client, id: string): Promise<Lesson> {
  return (await send<Lesson>('GET', `/api/lessons/${id}/`)).body;
}
