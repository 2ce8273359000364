import { expect, test } from 'vitest';
import {
  addSection,
  contentOf,
  createAuthor,
  documentOf,
  lessonOf,
  titlesIn,
} from '../lessons/support.ts';
import { refused } from '../places/support.ts';

const lesson = { title: 'Scenes', minutes: 7, document: documentOf('Nobody asks.') };
const week = { title: 'Week one', lessons: [lesson, { title: 'Said' }] };

type Sending = { dryRun?: boolean; key?: string; LIMITS?: Record<string, string[]> };

/** An author with a course into which they import sections. */
async function createImporter() {
  const { client, course } = await createAuthor();
  const send = (sections: unknown, { dryRun = false, key = '', LIMITS = {} }: Sending = {}) => {
    const options = { headers: { 'Idempotency-Key': key }, bindings: { LIMITS } };
    const input = { sections, dry_run: dryRun };
    return client.send('POST', `/api/courses/${course.id}/imports/`, input, options);
  };
  return { client, course, send, content: () => contentOf(client, course.id) };
}

test('sections and lessons come in at the end of a course, as drafts', async () => {
  const { client, course, content, send } = await createImporter();
  await addSection(client, course.id, 'Before');

  const body = { sections: 2, lessons: 3, is_done: true };
  expect(await send([{ title: null, lessons: [lesson] }, week])).toEqual({ status: 200, body });
  const after = await content();
  expect(titlesIn(after)).toEqual([['Before'], [null, 'Scenes'], ['Week one', 'Scenes', 'Said']]);
  const made = after.sections[2]?.lessons;
  expect(made?.map(({ state }) => state)).toEqual(['draft', 'draft']);
  const { document } = lesson;
  const first = await lessonOf(client, made?.[0]?.id ?? '');
  expect(first).toMatchObject({ document, minutes: 7, words: 2 });
});

test('a dry run checks everything and writes nothing', async () => {
  const { content, send } = await createImporter();
  const dry = { dryRun: true, key: 'dry', LIMITS: { content_import_checks_per_user: ['1/h'] } };
  expect((await send([week], dry)).body).toEqual({ sections: 1, lessons: 2, is_done: false });
  expect((await content()).sections).toEqual([]);
  expect((await send([week], dry)).status).toBe(429);
});

test('a retry with the same key adds nothing, and another import with it is refused', async () => {
  const { content, send } = await createImporter();
  const answers = await Promise.all([1, 2, 3].map(() => send([week], { key: 'one' })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const other = await send([{ ...week, title: 'Week two' }], { key: 'one' });
  expect(other).toMatchObject(refused('idempotency_key_reused'));
  expect(titlesIn(await content())).toEqual([['Week one', 'Scenes', 'Said']]);
});

test('an import that does not fit into the course is refused as a whole', async () => {
  const { client, course, content, send } = await createImporter();
  await addSection(client, course.id, 'Before');
  const sendLessons = (count: number, title = 'Said') =>
    send([{ title: 'All', lessons: Array(count).fill({ title }) }]);

  expect(await send(Array(50).fill(week))).toMatchObject(refused('too_many_sections'));
  expect(await sendLessons(301)).toMatchObject(refused('too_many_lessons'));
  expect(await sendLessons(7_000, '中'.repeat(80))).toMatchObject(refused('too_many_lessons'));
  expect(titlesIn(await content())).toEqual([['Before']]);
});

test('a refusal names the lesson that cannot be stored', async () => {
  const { content, send } = await createImporter();
  for (const [document, code] of [
    [documentOf('a'.repeat(50_001)), 'import_lesson_too_long'],
    [{ type: 'doc', content: [{ type: 'script' }] }, 'import_lesson_invalid'],
  ] as const) {
    const answer = await send([{ title: 'All', lessons: [lesson, { title: 'Odd', document }] }]);
    expect(answer.body).toMatchObject({ code, message: expect.stringContaining('Odd') });
  }
  expect((await content()).sections).toEqual([]);
});

test('300 lessons with 1.8 MB of text come in at once, and more than 2 MB do not', async () => {
  const { content, send } = await createImporter();
  const sendLong = (length: number) => {
    const long = { title: 'Said', document: documentOf('é'.repeat(length)) };
    return send([{ title: 'All', lessons: Array(300).fill(long) }]);
  };
  expect((await sendLong(3_500)).status).toBe(413);
  expect((await sendLong(2_900)).status).toBe(200);
  expect((await content()).sections[0]?.lessons.length).toBe(300);
});

test('an import brings release days, sections without lessons, and links between its lessons, which a copy of the course has too', async () => {
  const { client, course, content, send } = await createImporter();
  const key = crypto.randomUUID();
  const marks = [{ type: 'link', attrs: { href: `lesson:${key}` } }];
  const text = { type: 'text', text: 'Next', marks };
  const document = { type: 'doc', content: [{ type: 'paragraph', content: [text] }] };
  const lessons = [
    { title: 'One', document },
    { title: 'Two', link_key: key },
  ];
  const sections = [
    { title: 'Week one', release_days: 7, lessons },
    { title: 'Empty', lessons: [] },
  ];
  expect((await send(sections)).status).toBe(200);

  const imported = await content();
  expect(imported.sections.map(({ title, release_days: days }) => [title, days])).toEqual([
    ['Week one', 7],
    ['Empty', null],
  ]);
  expect(imported.link_keys).toEqual({ [imported.sections[0]?.lessons[1]?.id ?? '']: key });
  const copied = await client.post(`/api/courses/${course.id}/duplicate/`, {
    ...{ name: 'A copy', course_type: 'cohort' },
  });
  const copy = await contentOf(client, (await copied.json<{ id: string }>()).id);
  const [one, two] = copy.sections[0]?.lessons ?? [];
  expect(copy.link_keys).toMatchObject({ [two?.id ?? '']: key });
  expect((await lessonOf(client, one?.id ?? '')).document).toEqual(document);
});
