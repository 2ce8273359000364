import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { users } from '#db/schema/users.ts';
import { findSelectedFiles, toListedFiles } from '#features/files/find-files.ts';
import { mayBeAnimated } from '#features/files/first-bytes.ts';
import type { CourseFile } from '#features/files/schema.ts';
import { partSize } from '#features/files/vocabulary.ts';
import { settled } from '#support/background.ts';
import type { Client } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';
import { contextOn, readAs, runByClock } from '#support/context.ts';
import { copyRow } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { createAuthor, createWriter, save } from '../lessons/support.ts';
import { refused } from '../places/support.ts';
import {
  beginUpload,
  bucketWith,
  bytesOf,
  documentWith,
  failing,
  fetchFile,
  png,
  sendPart,
  startUpload,
  storedKeys,
  text,
  upload,
} from './support.ts';

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM files').run();
  await env.DB.prepare('DELETE FROM objects_gone').run();
  await env.FILES.delete(await storedKeys());
});

test('a file is uploaded in parts, in any order and one twice, and read again', async () => {
  const { client, course, send } = await createAuthor();
  const bytes = new Uint8Array(partSize + 1_000).map((_, at) => (at * 7) % 251);
  bytes.set(bytesOf('\0\0\0\x20ftypisom'));
  const sent = { name: 'scène.mp4', content_type: 'video/mp4', bytes };
  const { path, ...begun } = await beginUpload(client, course.id, sent);
  expect(begun).toMatchObject({ part_size: partSize, parts: 2 });

  const complete = () => send('POST', `${path}complete/`);
  expect(await complete()).toMatchObject(refused('upload_incomplete'));
  for (const number of [2, 1, 2]) {
    const part = bytes.slice((number - 1) * partSize, number * partSize);
    expect((await sendPart(client, path, number, part)).status).toBe(200);
  }
  const twice = await Promise.all([complete(), complete()]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);

  const [file] = await filesOf(client, course.id);
  expect(file).toMatchObject({ name: 'scène.mp4', size: bytes.length, width: null, lessons: [] });
  const stored = await fetchFile(file?.url ?? '');
  expect(stored.headers.get('Content-Type')).toBe('video/mp4');
  expect(await digestOf(await stored.arrayBuffer())).toBe(await digestOf(bytes));
});

test.each([
  ['IMG_0413.MOV', 'Save it as MP4'],
  ['talk.wav', 'Save it as MP3'],
  ['talk.en.srt', 'Save them as a .vtt file'],
  ['talk.SBV', 'Save them as a .vtt file'],
  ['logo.svg', 'but no files of this type'],
])('%s is refused with what it can be saved as', async (name, words) => {
  const { client, course } = await createAuthor();
  const answer = await startUpload(client, course.id, { name, content_type: '' });
  expect(answer.body).toMatchObject({
    fields: { content_type: [expect.stringContaining(words)] },
  });
});

describe('refused with a message, and nothing is left', () => {
  test.each([
    ['a file of 501 MB', { content_type: 'video/mp4', size: 501e6 }, 413, 'file_too_large'],
    ['an image of 11 MB', { content_type: 'image/png', size: 11e6 }, 413, 'file_too_large'],
    ['svg', { content_type: 'image/svg+xml' }, 400, 'validation_failed'],
    ['html', { content_type: 'text/html' }, 400, 'validation_failed'],
    ['a method', { name: 'a.txt', content_type: 'constructor' }, 400, 'validation_failed'],
    ['a program that calls itself text', { name: 'invoice.hta' }, 400, 'validation_failed'],
    ['a type that its name doesn’t say', { name: 'a.pdf' }, 400, 'validation_failed'],
    ['an ending that isn’t seen', { name: 'fdp.exe\u200f.txt' }, 400, 'validation_failed'],
    ['a name that addresses skip', { name: '..' }, 400, 'validation_failed'],
    ['a name that pages skip', { name: 'index.html' }, 400, 'validation_failed'],
    ['an empty file', { size: 0 }, 400, 'validation_failed'],
    ['a name of two lines', { name: 'a\nb.txt' }, 400, 'validation_failed'],
    ['beyond the storage', { content_type: 'video/mp4', size: 201e6 }, 422, 'storage_full'],
  ])('%s', async (_what, sent, status, code) => {
    const { client, course } = await createAuthor();
    expect(await startUpload(client, course.id, sent)).toMatchObject(refused(code, status));
    expect(await rows('files')).toEqual([]);
  });

  test.each([
    ['a part that is too long', 13, '13', 422, 'part_size_wrong'],
    ['a length that is a lie', 9, '12', 400, 'malformed_body'],
    ['no length', 12, '', 411, 'length_required'],
    ['a length in words', 12, 'twelve', 422, 'part_size_wrong'],
  ])('%s', async (_what, size, length, status, code) => {
    const { client, course, send } = await createAuthor();
    const { path } = await beginUpload(client, course.id);
    const headers = { 'Content-Length': length };
    const answer = await sendPart(client, path, 1, bytesOf('x'.repeat(size)), { headers });
    expect(answer).toMatchObject(refused(code, status));
    expect((await sendPart(client, path, 2, text)).status).toBe(404);
    expect(await send('POST', `${path}complete/`)).toMatchObject(refused('upload_incomplete'));
  });

  test.each([
    ['html', 'image/png', '<!doctype html><script>alert(1)</script>'],
    ['a photo of an iPhone', 'video/mp4', '\0\0\0\x20ftypheic'],
    ['a program', 'text/plain', 'MZ\0\x01'],
    ['words', 'application/zip', 'Nobody asks.'],
  ])('%s that calls itself %s', async (_what, content_type, characters) => {
    const { client, course, send } = await createAuthor();
    const sent = { content_type, bytes: bytesOf(characters) };
    const { answer, path } = await upload(client, course.id, sent);
    expect(answer).toMatchObject(refused('file_type_mismatch'));
    expect((await send('POST', `${path}complete/`)).status).toBe(404);
    await settled();
    expect(await everythingLeft()).toEqual([]);
  });

  test('one more than a course can have, also by ten at once', async () => {
    const { client, course } = await createAuthor();
    const bindings = { FILE_LIMITS: { files_per_course: 3 } };
    const sends = Array.from({ length: 10 }, () => startUpload(client, course.id, {}, bindings));
    const codes = (await Promise.all(sends)).map(({ status }) => status).sort();
    expect(codes).toEqual([201, 201, 201, ...Array(7).fill(422)]);
  });
});

test('without a place for files, uploads are refused, and texts work', async () => {
  const { client, course, lesson } = await createWriter();
  const bindings = { FILES: undefined } as object;
  const answer = await startUpload(client, course.id, {}, bindings);
  expect(answer).toMatchObject(refused('files_off', 503));
  expect(takeNoise()).toHaveLength(1);
  expect((await save(client, lesson.id, 'A text.', 0)).status).toBe(200);
  await runByClock(bindings);
});

describe('when R2 fails', () => {
  const without = (method: keyof R2Bucket) => ({ bindings: { FILES: failing(method) } });

  test('the upload fails with a message, can be retried, and leaves nothing', async () => {
    const { client, course, send } = await createAuthor();
    const { bindings } = without('createMultipartUpload');
    const answer = await startUpload(client, course.id, {}, bindings);
    expect(answer).toMatchObject(refused('files_unavailable', 503));
    expect(await rows('files')).toEqual([]);

    const { path } = await beginUpload(client, course.id);
    const part = await sendPart(client, path, 1, text, without('resumeMultipartUpload'));
    expect(part.status).toBe(503);
    expect((await sendPart(client, path, 1, text)).status).toBe(200);
    const complete = (options = {}) => send('POST', `${path}complete/`, undefined, options);
    // The object is there by then: the next try has only to say so.
    expect((await complete(without('get'))).status).toBe(503);
    expect((await complete()).status).toBe(200);
    expect(await filesOf(client, course.id)).toHaveLength(1);
    expect(takeNoise()).toHaveLength(3);
  });

  test('what it can’t delete, and uploads that it can’t end, are kept in mind for the next clock', async () => {
    const { client, course, send } = await createAuthor();
    const { path } = await upload(client, course.id);
    expect((await send('DELETE', path, undefined, without('delete'))).status).toBe(204);
    await settled();
    await expect(runByClock(without('delete').bindings)).rejects.toThrow('clean-up of files');
    expect([await storedKeys(), takeNoise()].map(({ length }) => length)).toEqual([1, 2]);
    await runByClock();
    expect(await everythingLeft()).toEqual([]);

    const begun = await beginUpload(client, course.id);
    await sendPart(client, begun.path, 1, text);
    const resumeless = without('resumeMultipartUpload');
    await send('DELETE', begun.path, undefined, resumeless);
    await settled();
    await expect(runByClock(resumeless.bindings)).rejects.toThrow('clean-up of files');
    expect(takeNoise()).toHaveLength(2);
    const [left] = await rows('objects_gone');
    await runByClock();
    expect(await rows('objects_gone')).toEqual([]);
    const { object_key: key, upload_id: id } = left as Record<string, string>;
    const late = env.FILES.resumeMultipartUpload(key ?? '', id ?? '').uploadPart(1, text);
    await expect(late).rejects.toThrow('10024');
  });

  test('1,500 of what it has kept are deleted in one run, 1,000 at once, uploads that are no more too', async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO objects_gone SELECT 'key' || i, iif(i <= 500, 'upload', NULL), 0 FROM n`,
    ).run();
    const calls: number[] = [];
    const gone = new Error('The upload does not exist. (10024)');
    const FILES = bucketWith({
      resumeMultipartUpload: () => ({ abort: () => Promise.reject(gone) }),
      delete: async (deleted: string[]) => calls.push(deleted.length),
    });
    await runByClock({ FILES });
    expect(await rows('objects_gone')).toEqual([]);
    expect(calls).toEqual([1_000, 500]);
  });
});

test('what is deleted or canceled is gone at R2 at once, but not what a copy has', async () => {
  const { client, course, send } = await createAuthor();
  const { id, path } = await upload(client, course.id);
  const { path: other } = await beginUpload(client, course.id);
  await sendPart(client, other, 1, text);
  await copyRow('files', id, 1, { key: "'copy'" });
  for (const [each, left] of [
    [other, 1],
    [path, 1],
    [`/api/courses/${course.id}/files/${id}1/`, 0],
  ] as const) {
    expect((await send('DELETE', each)).status).toBe(204);
    await settled();
    expect([await rows('objects_gone'), (await storedKeys()).length]).toEqual([[], left]);
  }
});

test('an upload whose course is deleted while it begins is not found, and is ended', async () => {
  const { client, course } = await createAuthor();
  let begun: R2MultipartUpload | undefined;
  const FILES = bucketWith({
    createMultipartUpload: async (key: string) => {
      await env.DB.prepare('DELETE FROM files').run();
      begun = await env.FILES.createMultipartUpload(key);
      return begun;
    },
  });
  expect((await startUpload(client, course.id, {}, { FILES })).status).toBe(404);
  await settled();
  await expect(begun?.uploadPart(1, text)).rejects.toThrow('10024');
});

test('the page of a course’s files also lists uploads that are not finished, without an address', async () => {
  const { client, course, user } = await createAuthor();
  const { id } = await upload(client, course.id);
  const begun = await beginUpload(client, course.id);
  expect((await filesOf(client, course.id)).map((file) => file.id)).toEqual([id]);
  await updateRow(users, user, { selectedCourseId: course.id });
  const listed = await toListedFiles(contextOn(), await readAs(user.id, findSelectedFiles));
  expect(listed).toHaveLength(2);
  expect(listed.filter(({ url }) => url === null).map((file) => file.id)).toEqual([begun.id]);
});

describe('after the clock, nothing is left of', () => {
  const day = 24 * 60 * 60 * 1000;

  test('an abandoned upload, after a day', async () => {
    const { client, course } = await createAuthor();
    const { path } = await beginUpload(client, course.id);
    await sendPart(client, path, 1, text);
    await runByClock();
    expect(await rows('files')).toHaveLength(1);
    await age(day + 1);
    await runByClock();
    expect(await everythingLeft()).toEqual([]);
    expect((await sendPart(client, path, 1, text)).status).toBe(404);
  });

  test('a file that no lesson has, after a week; one that a lesson has stays, with its captions', async () => {
    const { client, course, lesson } = await createWriter();
    const video = { content_type: 'video/mp4', bytes: bytesOf('\0\0\0\x18ftypmp42') };
    const used = await upload(client, course.id, { name: 'big.mp4', ...video });
    const captions = { content_type: 'text/vtt', bytes: bytesOf('WEBVTT') };
    const shown = await upload(client, course.id, { name: 'Big.vtt', ...captions });
    await upload(client, course.id, { name: 'bigger.vtt', ...captions });
    await upload(client, course.id);
    await save(client, lesson.id, documentWith(used.file.key), 0);
    // Its earlier version still has it.
    await save(client, lesson.id, 'Without it.', 1);
    await age(7 * day + 1);
    await runByClock();
    const left = await filesOf(client, course.id);
    expect(left.map(({ id }) => id).toSorted()).toEqual([used.id, shown.id].toSorted());
    expect(left.map(({ lessons }) => lessons.length)).toEqual([1, 1]);
    expect(await storedKeys()).toHaveLength(2);

    await env.DB.prepare('DELETE FROM lessons').run();
    await runByClock();
    expect(await storedKeys()).toEqual([]);
  });

  test('a course, and of an account', async () => {
    const { client, course, user } = await createAuthor();
    await upload(client, course.id, { content_type: 'image/png', name: 'a.png', bytes: png });
    await env.DB.prepare('DELETE FROM users WHERE id = ?').bind(user.id).run();
    await runByClock();
    expect(await everythingLeft()).toEqual([]);
  });
});

test('lessons are counted where a file is shown, kept in a version, or was lost to a conflict, also in the trash', async () => {
  const { client, course, lesson, path, send } = await createWriter();
  const [one, other] = [await upload(client, course.id), await upload(client, course.id)];
  await save(client, lesson.id, documentWith(one.file.key, one.file.key), 0);
  expect((await save(client, lesson.id, documentWith(other.file.key), 0)).status).toBe(409);
  await send('DELETE', path);
  const listed = await filesOf(client, course.id);
  const of = { lessons: [{ id: lesson.id }] };
  expect(listed).toMatchObject([of, of]);
  const uses = await env.DB.prepare('SELECT uses FROM files').all();
  expect(uses.results).toEqual([{ uses: 1 }, { uses: 1 }]);
});

async function digestOf(bytes: BufferSource): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex();
}

async function filesOf({ send }: Client, courseId: string): Promise<CourseFile[]> {
  return (await send<CourseFile[]>('GET', `/api/courses/${courseId}/files/`)).body;
}

async function rows(table: 'files' | 'objects_gone'): Promise<unknown[]> {
  return (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results;
}

/** What is left of all files, in the database and at R2. */
async function everythingLeft(): Promise<unknown[]> {
  return [...(await rows('files')), ...(await rows('objects_gone')), ...(await storedKeys())];
}

async function age(ms: number): Promise<void> {
  await env.DB.prepare('UPDATE files SET created_at = created_at - ?').bind(ms).run();
}

test('an image that moves is known by its first bytes, if it is of its type', () => {
  const webp = (flags: string) => bytesOf(`RIFF\0\0\0\0WEBPVP8X\n\0\0\0${flags}\0\0\0`);
  const apng = bytesOf('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\bacTL');
  expect(
    (
      [
        ['image/webp', webp('\x12')],
        ['image/png', apng],
        ['image/gif', bytesOf('GIF89a')],
        ['image/avif', bytesOf('\0\0\0\x20ftypavis')],
        ['image/webp', webp('\x10')],
        ['image/png', bytesOf('\x89PNG\r\n\x1a\n')],
        ['image/jpeg', webp('\x12')],
      ] as const
    ).map(([type, bytes]) => mayBeAnimated(type, bytes)),
  ).toEqual([true, true, true, true, false, false, false]);
});
