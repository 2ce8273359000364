import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { lessons, lessonVersions } from '#db/schema/lessons.ts';
import {
  type DocumentNode,
  emptyDocument,
  type LessonDocument,
} from '#features/documents/document.ts';
import type {
  Lesson,
  LessonChanged,
  LessonVersionText,
  SavedDraft,
} from '#features/lessons/schema.ts';
import { crons } from '#settings.ts';
import type { Client } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { db } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { refused } from '../places/support.ts';
import { invalid } from '../planning/support.ts';
import {
  createWriter,
  documentOf,
  lessonOf,
  paragraph,
  publish,
  save,
  versionsOf,
} from './support.ts';

const minute = 60_000;

test('of two saves on the same version one is refused with the other’s text, and both are kept', async () => {
  const { client, lesson } = await createWriter();
  const first = await save<SavedDraft>(client, lesson.id, 'One.', 0);
  const second = await save<LessonChanged>(client, lesson.id, 'Two.', 0);

  const { draft_version, saved_at } = first.body;
  expect([first.status, draft_version]).toEqual([200, 1]);
  const theirs = { draft_version, saved_at, title: lesson.title, document: documentOf('One.') };
  const [version] = await versionsOf(client, lesson.id);
  const conflict = { lesson: theirs, conflict_version_id: version?.id };
  expect(second).toMatchObject({ status: 409, body: { code: 'lesson_changed', ...conflict } });
  expect(await textsOf(client, lesson.id)).toEqual({ conflict: [documentOf('Two.')] });

  // Whichever the author goes on with.
  expect((await save(client, lesson.id, 'Two.', 1)).status).toBe(200);
  expect(await textsOf(client, lesson.id)).toEqual({
    conflict: [documentOf('Two.')],
    saved: [documentOf('One.')],
  });
});

test('the same again changes nothing, neither what was saved nor what was refused', async () => {
  const { client, lesson } = await createWriter();
  for (const basedOn of [0, 0, 1]) {
    const saved = { status: 200, body: { draft_version: 1 } };
    expect(await save(client, lesson.id, 'One.', basedOn)).toMatchObject(saved);
  }
  for (const _ of ['once', 'again']) {
    const { status, body } = await save<LessonChanged>(client, lesson.id, 'Two.', 0);
    const [version] = await versionsOf(client, lesson.id);
    const refusal = { conflict_version_id: version?.id, lesson: { draft_version: 1 } };
    expect({ status, body }).toMatchObject({ status: 409, body: refusal });
  }
  expect(await textsOf(client, lesson.id)).toEqual({ conflict: [documentOf('Two.')] });
});

test('of ten parallel saves one wins, and the texts of the nine others are kept', async () => {
  const { client, lesson } = await createWriter();
  const texts = Array.from({ length: 10 }, (_, no) => `Text number ${no}.`);
  const answers = await Promise.all(texts.map((text) => save(client, lesson.id, text, 0)));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  const winner = texts[answers.findIndex(({ status }) => status === 200)] ?? '';
  const { document, draft_version: version } = await lessonOf(client, lesson.id);
  expect([document, version]).toEqual([documentOf(winner), 1]);
  const { conflict = [] } = await textsOf(client, lesson.id);
  expect(new Set([...conflict, document])).toEqual(new Set(texts.map((text) => documentOf(text))));
});

test('60 saves in 20 minutes keep two versions; a large cut keeps what goes', async () => {
  stopClock();
  const { client, lesson } = await createWriter();
  let text = 'Nobody asks why he said it.';
  for (let no = 0; no < 60; no += 1) {
    text += ' More.';
    await save(client, lesson.id, text, no);
    vi.advanceTimersByTime(minute / 3);
  }
  const { saved = [] } = await textsOf(client, lesson.id);
  expect(saved).toHaveLength(2);

  expect((await save(client, lesson.id, 'oops', 60)).status).toBe(200);
  const { saved: [last] = [] } = await textsOf(client, lesson.id);
  expect(last).toEqual(documentOf(text));
});

test('the newest 50 versions stay, and for a year what was published', async () => {
  stopClock();
  const { client, lesson } = await createWriter(documentOf('Published first.'));
  await publish(client, lesson);
  const saveAll = async (from: number, to: number) => {
    for (let no = from; no <= to; no += 1) {
      vi.advanceTimersByTime(10 * minute);
      await save(client, lesson.id, `Number ${no}`, no);
    }
    return (await versionsOf(client, lesson.id)).map(({ reason }) => reason);
  };
  const newest = Array(50).fill('saved');
  expect(await saveAll(0, 55)).toEqual([...newest, 'published']);

  await db.update(lessonVersions).set({ at: new Date(Date.now() - 366 * 24 * 60 * minute) });
  expect(await saveAll(56, 56)).toEqual(newest);
});

test('both texts of a conflict stay after many more saves; of many conflicts, the newest stay', async () => {
  stopClock();
  const { client, lesson } = await createWriter();
  const saveLater = async (text: string, basedOn: number) => {
    vi.advanceTimersByTime(10 * minute);
    await save(client, lesson.id, text, basedOn);
  };
  await saveLater('Theirs.', 0);
  await saveLater('Mine.', 0);
  for (let no = 1; no < 55; no += 1) {
    await saveLater(`Number ${no}`, no);
  }
  const { conflict, saved = [] } = await textsOf(client, lesson.id);
  expect(conflict).toEqual([documentOf('Mine.')]);
  expect(saved).toHaveLength(51);
  expect(saved).toContainEqual(documentOf('Theirs.'));

  for (let no = 0; no < 51; no += 1) {
    await saveLater(`Lost ${no}`, 0);
  }
  const { conflict: lost, ...others } = await textsOf(client, lesson.id);
  expect([lost?.length, others]).toEqual([50, {}]);
});

test('a save is refused with a message for each field, and changes nothing', async () => {
  const { client, lesson, path, send } = await createWriter();
  const right = { title: 'Said', document: documentOf('A text.'), based_on: 0 };
  for (const wrong of [
    { title: ' ' },
    { title: 'x'.repeat(121) },
    { document: null },
    { document: { type: 'paragraph' } },
    { based_on: -1 },
    { html: '<p>' },
  ]) {
    const [field = ''] = Object.keys(wrong);
    const answer = await send('PUT', `${path}draft/`, { ...right, ...wrong });
    expect(answer).toMatchObject(invalid({ [field]: [expect.any(String)] }));
  }
  expect(await lessonOf(client, lesson.id)).toEqual(lesson);
});

/** Until the end of the test, time passes only where it says so. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
}

/** The documents of all versions by their reasons, the newest first. */
async function textsOf(client: Client, id: string) {
  const texts = await Promise.all(
    (await versionsOf(client, id)).map(async (version) => {
      const path = `/api/lessons/${id}/versions/${version.id}/`;
      return (await client.send<LessonVersionText>('GET', path)).body;
    }),
  );
  const byReason = Map.groupBy(texts, ({ reason }) => reason);
  return Object.fromEntries(
    [...byReason].map(([reason, list]) => [reason, list.map(({ document }) => document)]),
  );
}

test('learners get what was published, and later drafts only when they are published', async () => {
  const { client, lesson } = await createWriter(documentOf('First & <b>.'));
  await publish(client, lesson);
  const first = {
    ...{ html: '<p dir="auto">First &amp; &lt;b&gt;.</p>', publishedTitle: 'Said is enough' },
    ...{ publishedWords: 2, publishedVersion: 0 },
  };
  expect(await rowOf(lesson.id)).toMatchObject(first);
  await save(client, lesson.id, 'Second, longer.', 0);
  expect(await rowOf(lesson.id)).toMatchObject(first);
  expect((await lessonOf(client, lesson.id)).state).toBe('changed');

  expect((await publish(client, lesson, 1)).status).toBe(200);
  const second = { html: '<p dir="auto">Second, longer.</p>', publishedVersion: 1 };
  expect(await rowOf(lesson.id)).toMatchObject(second);
  const reasons = (await versionsOf(client, lesson.id)).map(({ reason }) => reason);
  expect(reasons).toEqual(['published', 'published']);
});

test('a draft that is newer than what its author saw is not published', async () => {
  const { client, lesson } = await createWriter(documentOf('First.'));
  await save(client, lesson.id, 'Second.', 0);
  for (const version of [0, 2]) {
    expect(await publish(client, lesson, version)).toMatchObject({
      status: 409,
      body: {
        code: 'lesson_changed',
        lesson: { draft_version: 1, document: documentOf('Second.') },
        conflict_version_id: null,
      },
    });
  }
  expect(await rowOf(lesson.id)).toMatchObject({ html: null, publishedAt: null });
});

test('published again or twice at once, an unchanged lesson stays as it is', async () => {
  const { client, lesson } = await createWriter(documentOf('A text.'));
  await Promise.all([publish(client, lesson), publish(client, lesson)]);
  const row = await rowOf(lesson.id);
  const unchanged = { status: 200, body: { state: 'published', versions: 1 } };
  expect(await publish(client, lesson)).toMatchObject(unchanged);
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

const youTube = { src: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', title: 'Dialogue' };
const tableOf = (text: string) =>
  inside('table', inside('tableRow', inside('tableCell', paragraph(text))));

test.each<[string, LessonDocument, isFull?: boolean]>([
  ['nothing', emptyDocument],
  ['a rule and spaces', inside('doc', { type: 'horizontalRule' }, paragraph('  '))],
  ['an empty table', inside('doc', tableOf(''))],
  ['nothing but a table', inside('doc', tableOf('Said')), true],
  ['nothing but an emoji', documentOf('👍'), true],
  ['nothing but a video', inside('doc', { type: 'video', attrs: youTube }), true],
])('a lesson with %s is published if there is something to see', async (_, document, isFull) => {
  const { client, lesson } = await createWriter(document);
  const answer = isFull ? { status: 200 } : refused('lesson_empty');
  expect(await publish(client, lesson)).toMatchObject(answer);
  const publishedAt = isFull ? expect.any(Date) : null;
  expect(await rowOf(lesson.id)).toMatchObject({ publishedAt });
});

test('an unpublished lesson is a draft again, and can be published again', async () => {
  const { client, lesson, path, send } = await createWriter(documentOf('A text.'));
  await publish(client, lesson);
  const { body } = await send('POST', `${path}unpublish/`);
  expect(body).toMatchObject({ state: 'draft', published_at: null });
  expect(await rowOf(lesson.id)).toMatchObject({ html: null, publishedVersion: null });
  expect((await send('POST', `${path}unpublish/`)).status).toBe(200);
  expect((await publish(client, lesson)).status).toBe(200);
});

test('a version becomes the draft again, and what was there is kept', async () => {
  const { client, lesson, path, send } = await createWriter(documentOf('First.'));
  await publish(client, lesson);
  await save(client, lesson.id, 'Second.', 0);
  const [first] = await versionsOf(client, lesson.id);
  const restore = () => send<Lesson>('POST', `${path}versions/${first?.id}/restore/`);
  const restored = { document: documentOf('First.'), draft_version: 2, versions: 2 };
  expect((await restore()).body).toMatchObject(restored);

  const [kept] = await versionsOf(client, lesson.id);
  const text = await send('GET', `${path}versions/${kept?.id}/`);
  expect(text.body).toMatchObject({ reason: 'restored', document: documentOf('Second.') });
  // The same again changes nothing, and a tab that has not seen it is refused.
  expect((await restore()).body.draft_version).toBe(2);
  expect((await save(client, lesson.id, 'Third.', 1)).status).toBe(409);
});

test('a version of another lesson, or none, is not found', async () => {
  const { client, lesson, path, send } = await createWriter(documentOf('First.'));
  const other = await createWriter(documentOf('Other.'));
  await publish(other.client, other.lesson);
  const [version] = await versionsOf(other.client, other.lesson.id);
  for (const id of [version?.id, 0, 'x', '1e400', '9'.repeat(30)]) {
    expect((await send('GET', `${path}versions/${id}/`)).status).toBe(404);
    expect((await send('POST', `${path}versions/${id}/restore/`)).status).toBe(404);
  }
  expect(await lessonOf(client, lesson.id)).toEqual(lesson);
});

test('the nightly run deletes what was in the trash for 30 days, and nothing else', async () => {
  const [old, young, kept] = [await createWriter(), await createWriter(), await createWriter()];
  await old.send('DELETE', old.path);
  await young.send('DELETE', young.path);
  const past = new Date(Date.now() - 30 * 24 * 60 * 60_000);
  await updateRow(lessons, old.lesson, { deletedAt: past });
  await runByClock({}, { cron: crons.nightly });

  expect(await rowOf(old.lesson.id)).toBeUndefined();
  expect(await rowOf(young.lesson.id)).toBeDefined();
  expect(await rowOf(kept.lesson.id)).toBeDefined();
  expect(loggedEvents('lesson_trash_emptied')).toMatchObject([{ lessons: 1, is_done: true }]);
});

function inside<Type extends string>(type: Type, ...content: DocumentNode[]) {
  return { type, content };
}

function rowOf(id: string) {
  return db.select().from(lessons).where(eq(lessons.id, id)).get();
}
