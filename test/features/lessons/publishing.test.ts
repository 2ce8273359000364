import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lessons } from '#db/schema/lessons.ts';
import { emptyDocument, type LessonDocument } from '#features/documents/document.ts';
import type { Lesson, LessonChanged } from '#features/lessons/schema.ts';
import { crons } from '#settings.ts';
import { loggedEvents } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { db } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import {
  createWriter,
  documentOf,
  lessonOf,
  paragraph,
  publish,
  save,
  versionsOf,
} from './support.ts';

test('learners get what was published, and later drafts only when they are published', async () => {
  const { client, lesson } = await createWriter(documentOf('First & <b>.'));
  await publish(client, lesson);
  const first = await rowOf(lesson.id);
  await save(client, lesson.id, 'Second, longer.', 0);

  expect(first).toMatchObject({
    html: '<p dir="auto">First &amp; &lt;b&gt;.</p>',
    publishedTitle: 'Said is enough',
    publishedWords: 2,
    publishedVersion: 0,
  });
  expect(await rowOf(lesson.id)).toMatchObject({ html: first?.html, publishedVersion: 0 });
  expect((await lessonOf(client, lesson.id)).state).toBe('changed');
  expect((await publish(client, lesson, 1)).status).toBe(200);
  expect(await rowOf(lesson.id)).toMatchObject({
    html: '<p dir="auto">Second, longer.</p>',
    publishedVersion: 1,
  });
  const reasons = (await versionsOf(client, lesson.id)).map(({ reason }) => reason);
  expect(reasons).toEqual(['published', 'published']);
});

test('a draft that is newer than what its author saw is not published', async () => {
  const { client, lesson } = await createWriter(documentOf('First.'));
  await save(client, lesson.id, 'Second.', 0);
  for (const version of [0, 2]) {
    const response = await publish(client, lesson, version);
    expect(response.status).toBe(409);
    expect(await response.json<LessonChanged>()).toMatchObject({
      code: 'lesson_changed',
      lesson: { draft_version: 1, document: documentOf('Second.') },
      conflict_version_id: null,
    });
  }
  expect(await rowOf(lesson.id)).toMatchObject({ html: null, publishedAt: null });
});

test('published again or twice at once, an unchanged lesson stays as it is', async () => {
  const { client, lesson } = await createWriter(documentOf('A text.'));
  await Promise.all([publish(client, lesson), publish(client, lesson)]);
  const row = await rowOf(lesson.id);
  const again = await publish(client, lesson);

  expect(again.status).toBe(200);
  expect(await again.json()).toMatchObject({ state: 'published', versions: 1 });
  expect(await rowOf(lesson.id)).toEqual(row);
});

test('of a save and a publication at once, what is published is what its author saw', async () => {
  const { client, lesson } = await createWriter(documentOf('Seen.'));
  const [, published] = await Promise.all([
    save(client, lesson.id, 'Not seen.', 0),
    publish(client, lesson),
  ]);
  const { html } = (await rowOf(lesson.id)) ?? {};
  expect([200, 409]).toContain(published.status);
  expect(['<p dir="auto">Seen.</p>', null]).toContain(html);
});

test.each<[string, LessonDocument]>([
  ['nothing', emptyDocument],
  ['a rule and spaces', { type: 'doc', content: [{ type: 'horizontalRule' }, paragraph('  ')] }],
  ['an empty table', tableOf('')],
])('a lesson with %s is not published', async (_what, document) => {
  const { client, lesson } = await createWriter(document);
  const response = await publish(client, lesson);

  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ code: 'lesson_empty' });
  expect(await rowOf(lesson.id)).toMatchObject({ publishedAt: null });
});

test.each<[string, LessonDocument]>([
  ['a table', tableOf('Said')],
  ['an emoji', documentOf('👍')],
  ['a video', { type: 'doc', content: [{ type: 'video', attrs: videoAttrs() }] }],
])('a lesson with nothing but %s is published', async (_what, document) => {
  const { client, lesson } = await createWriter(document);
  expect((await publish(client, lesson)).status).toBe(200);
});

test('an unpublished lesson is a draft again, and can be published again', async () => {
  const { client, lesson, path } = await createWriter(documentOf('A text.'));
  await publish(client, lesson);
  const response = await client.post(`${path}unpublish/`);

  expect(await response.json()).toMatchObject({ state: 'draft', published_at: null });
  expect(await rowOf(lesson.id)).toMatchObject({ html: null, publishedVersion: null });
  expect((await client.post(`${path}unpublish/`)).status).toBe(200);
  expect((await publish(client, lesson)).status).toBe(200);
});

test('a version becomes the draft again, and what was there is kept', async () => {
  const { client, lesson, path } = await createWriter(documentOf('First.'));
  await publish(client, lesson);
  await save(client, lesson.id, 'Second.', 0);
  const [first] = await versionsOf(client, lesson.id);
  const restored = await (
    await client.post(`${path}versions/${first?.id}/restore/`)
  ).json<Lesson>();

  expect(restored).toMatchObject({ document: documentOf('First.'), draft_version: 2, versions: 2 });
  const [kept] = await versionsOf(client, lesson.id);
  expect(kept).toMatchObject({ reason: 'restored' });
  const text = await client.get(`${path}versions/${kept?.id}/`);
  expect(await text.json()).toMatchObject({ document: documentOf('Second.') });
  // The same again changes nothing, and a tab that has not seen it is refused.
  await client.post(`${path}versions/${first?.id}/restore/`);
  expect((await lessonOf(client, lesson.id)).draft_version).toBe(2);
  expect((await save(client, lesson.id, 'Third.', 1)).status).toBe(409);
});

test('a version of another lesson, or none, is not found', async () => {
  const { client, lesson, path } = await createWriter(documentOf('First.'));
  const other = await createWriter(documentOf('Other.'));
  await publish(other.client, other.lesson);
  const [version] = await versionsOf(other.client, other.lesson.id);
  for (const id of [version?.id, 0, 'x', '1e400', '9'.repeat(30)]) {
    expect((await client.get(`${path}versions/${id}/`)).status).toBe(404);
    expect((await client.post(`${path}versions/${id}/restore/`)).status).toBe(404);
  }
  expect(await lessonOf(client, lesson.id)).toEqual(lesson);
});

test('the nightly run deletes what was in the trash for 30 days, and nothing else', async () => {
  const [old, young, kept] = [await createWriter(), await createWriter(), await createWriter()];
  await old.client.request('DELETE', old.path);
  await young.client.request('DELETE', young.path);
  const past = new Date(Date.now() - 30 * 24 * 60 * 60_000);
  await updateRow(lessons, old.lesson, { deletedAt: past });
  await runByClock({}, { cron: crons.nightly });

  expect(await rowOf(old.lesson.id)).toBeUndefined();
  expect(await rowOf(young.lesson.id)).toBeDefined();
  expect(await rowOf(kept.lesson.id)).toBeDefined();
  expect(loggedEvents('lesson_trash_emptied')).toMatchObject([{ lessons: 1, is_done: true }]);
});

function videoAttrs() {
  return { src: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', title: 'Dialogue' };
}

function tableOf(text: string): LessonDocument {
  const cell = { type: 'tableCell', content: [paragraph(text)] };
  return {
    type: 'doc',
    content: [{ type: 'table', content: [{ type: 'tableRow', content: [cell] }] }],
  };
}

function rowOf(id: string) {
  return db.select().from(lessons).where(eq(lessons.id, id)).get();
}
