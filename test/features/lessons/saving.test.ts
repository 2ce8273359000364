import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lessonVersions } from '#db/schema/lessons.ts';
import type { LessonChanged, LessonVersionText, SavedDraft } from '#features/lessons/schema.ts';
import type { Client } from '#support/client.ts';
import { db } from '#support/factories.ts';
import { createWriter, documentOf, lessonOf, publish, save, versionsOf } from './support.ts';

const minute = 60_000;

test('of two saves on the same version one is refused with the other’s text, and both are kept', async () => {
  const { client, lesson } = await createWriter();
  const first = await save(client, lesson.id, 'One.', 0);
  const second = await save(client, lesson.id, 'Two.', 0);

  expect(first.status).toBe(200);
  expect(second.status).toBe(409);
  const refusal = await second.json<LessonChanged>();
  const { draft_version, saved_at } = await first.json<SavedDraft>();
  const theirs = { draft_version, saved_at, title: lesson.title, document: documentOf('One.') };
  expect(draft_version).toBe(1);
  expect(refusal).toMatchObject({ code: 'lesson_changed', lesson: theirs });
  expect(await textsOf(client, lesson.id)).toEqual({ conflict: [documentOf('Two.')] });
  const [version] = await versionsOf(client, lesson.id);
  expect(version?.id).toBe(refusal.conflict_version_id);

  // Whichever the author goes on with.
  expect((await save(client, lesson.id, 'Two.', 1)).status).toBe(200);
  expect(await textsOf(client, lesson.id)).toEqual({
    conflict: [documentOf('Two.')],
    saved: [documentOf('One.')],
  });
});

test('the same again changes nothing, neither what was saved nor what was refused', async () => {
  const { client, lesson } = await createWriter();
  const answers = [];
  for (const [text, basedOn] of [
    ['One.', 0],
    ['One.', 0],
    ['One.', 1],
    ['Two.', 0],
    ['Two.', 0],
  ] as const) {
    const { status, ...response } = await readSave(client, lesson.id, text, basedOn);
    answers.push([status, response.version, response.conflict]);
  }

  const [version] = await versionsOf(client, lesson.id);
  expect(answers).toEqual([
    [200, 1, undefined],
    [200, 1, undefined],
    [200, 1, undefined],
    [409, 1, version?.id],
    [409, 1, version?.id],
  ]);
  expect(await textsOf(client, lesson.id)).toEqual({ conflict: [documentOf('Two.')] });
});

test('of ten parallel saves one wins, and the texts of the nine others are kept', async () => {
  const { client, lesson } = await createWriter();
  const texts = Array.from({ length: 10 }, (_, no) => `Text number ${no}.`);
  const responses = await Promise.all(texts.map((text) => save(client, lesson.id, text, 0)));

  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  const winner = texts
    .filter((_, no) => responses[no]?.status === 200)
    .map((text) => documentOf(text));
  const { document, draft_version: version } = await lessonOf(client, lesson.id);
  expect([document, version]).toEqual([winner[0], 1]);
  const { conflict = [] } = await textsOf(client, lesson.id);
  expect([...conflict, document].map((one) => JSON.stringify(one)).sort()).toEqual(
    texts.map((text) => JSON.stringify(documentOf(text))).sort(),
  );
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
  await save(client, lesson.id, 'Number 0', 0);
  for (let no = 1; no <= 55; no += 1) {
    vi.advanceTimersByTime(10 * minute);
    await save(client, lesson.id, `Number ${no}`, no);
  }
  const kept = await versionsOf(client, lesson.id);
  expect(kept).toHaveLength(51);
  expect(kept.at(-1)).toMatchObject({ reason: 'published' });

  const aYearAgo = new Date(Date.now() - 366 * 24 * 60 * minute);
  await db
    .update(lessonVersions)
    .set({ at: aYearAgo })
    .where(eq(lessonVersions.id, kept.at(-1)?.id ?? 0));
  vi.advanceTimersByTime(10 * minute);
  await save(client, lesson.id, 'Number 56', 56);
  const later = await versionsOf(client, lesson.id);
  expect(later.map(({ reason }) => reason)).toEqual(Array(50).fill('saved'));
});

test('a save is refused with a message for each field, and changes nothing', async () => {
  const { client, lesson, path } = await createWriter();
  const document = documentOf('A text.');
  for (const [input, field] of [
    [{ title: ' ', document, based_on: 0 }, 'title'],
    [{ title: 'x'.repeat(121), document, based_on: 0 }, 'title'],
    [{ title: 'Said', document: null, based_on: 0 }, 'document'],
    [{ title: 'Said', document: { type: 'paragraph' }, based_on: 0 }, 'document'],
    [{ title: 'Said', document, based_on: -1 }, 'based_on'],
    [{ title: 'Said', document, based_on: 0, html: '<p>' }, 'html'],
  ] as const) {
    const response = await client.request('PUT', `${path}draft/`, input);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ fields: { [field]: [expect.any(String)] } });
  }
  expect(await lessonOf(client, lesson.id)).toEqual(lesson);
});

/** Until the end of the test, time passes only where it says so. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
}

async function readSave(client: Client, id: string, text: string, basedOn: number) {
  const response = await save(client, id, text, basedOn);
  const body = await response.json<SavedDraft & LessonChanged>();
  return {
    status: response.status,
    version: body.draft_version ?? body.lesson.draft_version,
    conflict: body.conflict_version_id,
  };
}

/** The documents of all versions by their reasons, the newest first. */
async function textsOf(client: Client, id: string) {
  const texts = await Promise.all(
    (await versionsOf(client, id)).map(async (version) => {
      const response = await client.get(`/api/lessons/${id}/versions/${version.id}/`);
      return response.json<LessonVersionText>();
    }),
  );
  const byReason = Map.groupBy(texts, ({ reason }) => reason);
  return Object.fromEntries(
    [...byReason].map(([reason, list]) => [reason, list.map(({ document }) => document)]),
  );
}
