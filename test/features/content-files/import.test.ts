import { expect, test } from 'vitest';
import type { Lesson } from '#features/lessons/schema.ts';
import type { Client } from '#support/client.ts';
import {
  addSection,
  contentOf,
  createAuthor,
  documentOf,
  lessonOf,
  titlesIn,
} from '../lessons/support.ts';

const lesson = { title: 'Scenes', minutes: 7, document: documentOf('Nobody asks.') };
const week = { title: 'Week one', lessons: [lesson, { title: 'Said' }] };

type Sending = { dryRun?: boolean; key?: string; LIMITS?: Record<string, string[]> };

function send(client: Client, courseId: string, sections: unknown, options: Sending = {}) {
  const { dryRun = false, key, LIMITS = {} } = options;
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  const input = { sections, dry_run: dryRun };
  return client.post(`/api/courses/${courseId}/imports/`, input, { headers, bindings: { LIMITS } });
}

test('sections and lessons come in at the end of a course, as drafts', async () => {
  const { client, course } = await createAuthor();
  await addSection(client, course.id, 'Before');

  const response = await send(client, course.id, [{ title: null, lessons: [lesson] }, week]);

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ sections: 2, lessons: 3, is_done: true });
  const content = await contentOf(client, course.id);
  expect(titlesIn(content)).toEqual([['Before'], [null, 'Scenes'], ['Week one', 'Scenes', 'Said']]);
  const [, , section] = content.sections;
  expect(section?.lessons.map(({ state }) => state)).toEqual(['draft', 'draft']);
  const made: Lesson = await lessonOf(client, section?.lessons[0]?.id ?? '');
  expect(made).toMatchObject({ document: lesson.document, minutes: 7, words: 2 });
});

test('a dry run checks everything and writes nothing', async () => {
  const { client, course } = await createAuthor();

  const dry = { dryRun: true, key: 'dry', LIMITS: { content_import_checks_per_user: ['1/h'] } };
  const response = await send(client, course.id, [week], dry);

  expect(await response.json()).toEqual({ sections: 1, lessons: 2, is_done: false });
  expect((await contentOf(client, course.id)).sections).toEqual([]);
  expect((await send(client, course.id, [week], dry)).status).toBe(429);
});

test('a retry with the same key adds nothing, and another import with it is refused', async () => {
  const { client, course } = await createAuthor();

  const responses = await Promise.all(
    Array.from({ length: 3 }, () => send(client, course.id, [week], { key: 'one' })),
  );
  const other = await send(client, course.id, [{ ...week, title: 'Week two' }], { key: 'one' });

  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' });
  expect(titlesIn(await contentOf(client, course.id))).toEqual([['Week one', 'Scenes', 'Said']]);
});

test('an import that does not fit into the course is refused as a whole', async () => {
  const { client, course } = await createAuthor();
  await addSection(client, course.id, 'Before');
  const many = Array.from({ length: 301 }, () => ({ title: 'Said' }));

  const sections = await send(client, course.id, Array(50).fill(week));
  const lessons = await send(client, course.id, [{ title: 'All', lessons: many }]);

  expect(await sections.json()).toMatchObject({ code: 'too_many_sections' });
  expect(await lessons.json()).toMatchObject({ code: 'too_many_lessons' });
  const titles = Array.from({ length: 7_000 }, () => ({ title: '中'.repeat(80) }));
  const tooMany = await send(client, course.id, [{ title: 'All', lessons: titles }]);
  expect(await tooMany.json()).toMatchObject({ code: 'too_many_lessons' });
  expect(titlesIn(await contentOf(client, course.id))).toEqual([['Before']]);
});

test('a refusal names the lesson that cannot be stored', async () => {
  const { client, course } = await createAuthor();
  for (const [document, code] of [
    [documentOf('a'.repeat(50_001)), 'import_lesson_too_long'],
    [{ type: 'doc', content: [{ type: 'script' }] }, 'import_lesson_invalid'],
  ] as const) {
    const lessons = [lesson, { title: 'Odd', document }];
    const refused = await send(client, course.id, [{ title: 'All', lessons }]);
    const message = expect.stringContaining('Odd');
    expect(await refused.json()).toMatchObject({ code, message });
  }
  expect((await contentOf(client, course.id)).sections).toEqual([]);
});

test('300 lessons with 1.8 MB of text come in at once, and more than 2 MB do not', async () => {
  const { client, course } = await createAuthor();
  const textOf = (length: number) => ({ title: 'Said', document: documentOf('é'.repeat(length)) });
  const all = (length: number) => [{ title: 'All', lessons: Array(300).fill(textOf(length)) }];

  expect((await send(client, course.id, all(3_500))).status).toBe(413);
  expect((await send(client, course.id, all(2_900))).status).toBe(200);
  expect((await contentOf(client, course.id)).sections[0]?.lessons.length).toBe(300);
});
