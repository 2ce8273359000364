import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Course } from '#features/courses/schema.ts';
import type { Picture } from '#features/files/schema.ts';
import type { Account } from '#features/identity/account-schema.ts';
import { type Client, createClient } from '#support/client.ts';
import { loggedEvents, takeNoise } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { createCourseRow } from '#support/factories.ts';
import { fakeGoogle, googlePerson } from '#support/google.ts';
import { createAuthor } from '../lessons/support.ts';
import { refused } from '../places/support.ts';
import { bucketWith, bytesOf, fetchFile, png, storedKeys } from './support.ts';

const photoPath = '/api/accounts/photo/';
const webp = bytesOf('RIFF\x04\0\0\0WEBP and so on');
const jpeg = bytesOf('\xff\xd8\xff\xe0 and so on');

beforeEach(async () => {
  await env.DB.prepare('UPDATE courses SET picture = NULL').run();
  await env.DB.prepare('UPDATE users SET avatar_url = NULL').run();
  await env.DB.prepare('DELETE FROM objects_gone').run();
  await env.FILES.delete(await storedKeys());
});

test('the picture of a course is for everyone to see, and gone when it is removed', async () => {
  const { client, course } = await createAuthor();
  const path = `/api/courses/${course.id}/picture/`;
  const first = await put(client, path, webp);
  expect(await pictureOf(client, course.id)).toBe(first);
  const seen = await fetchFile(first);
  expect(new Uint8Array(await seen.arrayBuffer())).toEqual(webp);
  expect(seen.headers.get('Content-Type')).toBe('image/webp');
  expect(seen.headers.get('Cache-Control')).toBe('public, max-age=86400');
  expect(seen.headers.getSetCookie()).toEqual([]);
  expect(await gone()).toEqual([]);

  const second = await put(client, path, jpeg, 'image/jpeg');
  expect(second).not.toBe(first);
  expect(await gone()).toEqual([first.slice(1)]);
  expect((await client.send('DELETE', path)).status).toBe(204);
  expect(await pictureOf(client, course.id)).toBeNull();
  await runByClock();
  expect((await fetchFile(second)).status).toBe(404);
  expect([await gone(), await storedKeys()]).toEqual([[], []]);
});

test('a photo replaces Google’s picture, at the first sign-in and at later ones', async () => {
  const google = fakeGoogle();
  const picture = 'https://lh3.googleusercontent.com/a/grace';
  const person = googlePerson({ picture });
  const client = createClient();
  const signIn = async () => {
    await google.signIn(client, person);
    return avatarOf(client);
  };
  expect(await signIn()).toBe(picture);
  const url = await put(client, photoPath, png, 'image/png');
  expect(await avatarOf(client)).toBe(url);
  expect(await signIn()).toBe(url);

  expect((await client.send('DELETE', photoPath)).status).toBe(204);
  expect([await avatarOf(client), await gone()]).toEqual([null, [url.slice(1)]]);
  expect(await signIn()).toBe(picture);
  expect(loggedEvents('account_changed')).toHaveLength(2);

  const known = await createAuthor();
  const photo = await put(known.client, photoPath, webp);
  const elsewhere = createClient();
  const email = { email: known.user.email, hd: 'example.com' };
  await google.signIn(elsewhere, googlePerson({ ...email, picture }));
  expect(await avatarOf(elsewhere)).toBe(photo);
});

test('the copy of a course keeps the picture that both had; an account takes all of its own', async () => {
  const { client, user, course } = await createAuthor();
  const path = `/api/courses/${course.id}/picture/`;
  const shared = (await put(client, path, webp)).slice(1);
  const copy = await createCourseRow(user.id, { picture: shared });
  await client.send('DELETE', path);
  expect(await gone()).toEqual([]);

  const photo = (await put(client, photoPath, webp)).slice(1);
  const account = `/api/accounts/${user.id}/`;
  expect((await client.send('GET', `${account}export/`)).body).toMatchObject({
    account: { avatar: `/${photo}` },
    courses: [{ picture: null }, { id: copy.id, picture: shared }],
  });
  expect((await client.send('DELETE', account)).status).toBe(204);
  expect(await gone()).toEqual([shared, photo].sort());
  await runByClock();
  expect([await gone(), await storedKeys()]).toEqual([[], []]);
});

describe('refused, and nothing has changed', () => {
  test.each<[string, string, Uint8Array<ArrayBuffer>, number, string]>([
    ['a gif', 'image/gif', bytesOf('GIF89a'), 415, 'unsupported_media_type'],
    ['svg', 'image/svg+xml', bytesOf('<svg/>'), 415, 'unsupported_media_type'],
    ['a page that calls itself png', 'image/png', bytesOf('<html>'), 422, 'file_type_mismatch'],
    ['jpeg that calls itself png', 'image/png', jpeg, 422, 'file_type_mismatch'],
    ['nothing', 'image/png', bytesOf(''), 422, 'file_type_mismatch'],
    ['more than 2 MB', 'image/webp', new Uint8Array(2_000_001), 413, 'file_too_large'],
  ])('%s', async (_what, type, bytes, status, code) => {
    const { client, course } = await createAuthor();
    for (const path of [photoPath, `/api/courses/${course.id}/picture/`]) {
      expect(await send(client, path, bytes, type)).toMatchObject(refused(code, status));
    }
    expect([await gone(), await storedKeys()]).toEqual([[], []]);
  });

  test('when R2 fails; the clock deletes what may have arrived, after a day', async () => {
    const { client, course } = await createAuthor();
    const path = `/api/courses/${course.id}/picture/`;
    const url = await put(client, path, webp);
    const putAndFail = async (key: string, bytes: Uint8Array<ArrayBuffer>) => {
      await env.FILES.put(key, bytes);
      throw new Error('R2 has it, and did not say so');
    };
    const FILES = bucketWith({ put: putAndFail });
    const answer = await send(client, path, jpeg, 'image/jpeg', { FILES });
    expect(answer).toMatchObject(refused('files_unavailable', 503));
    expect(takeNoise()).toHaveLength(1);
    expect(await pictureOf(client, course.id)).toBe(url);

    await runByClock();
    expect(await storedKeys()).toHaveLength(2);
    await env.DB.prepare('UPDATE objects_gone SET delete_at = delete_at - 86400001').run();
    await runByClock();
    expect([await storedKeys(), await gone()]).toEqual([[url.slice(1)], []]);
  });
});

test('of many pictures at once, the last one stays, and all others go', async () => {
  const { client, course } = await createAuthor();
  const path = `/api/courses/${course.id}/picture/`;
  const urls = await Promise.all(Array.from({ length: 5 }, () => put(client, path, webp)));
  const picture = await pictureOf(client, course.id);
  expect(urls).toContain(picture);
  await runByClock();
  expect([await storedKeys(), await gone()]).toEqual([[picture?.slice(1)], []]);
});

type Bytes = Uint8Array<ArrayBuffer>;

function send({ send: sendTo }: Client, path: string, raw: Bytes, type: string, bindings = {}) {
  const headers = { 'Content-Type': type };
  return sendTo<Picture>('PUT', path, undefined, { raw, headers, bindings });
}

async function put(client: Client, path: string, bytes: Bytes, type = 'image/webp') {
  const { status, body } = await send(client, path, bytes, type);
  expect(status).toBe(200);
  return body.url;
}

async function pictureOf(client: Client, courseId: string): Promise<string | null> {
  return (await client.send<Course>('GET', `/api/courses/${courseId}/`)).body.picture;
}

async function avatarOf(client: Client): Promise<string | null> {
  return (await client.send<Account>('GET', '/api/accounts/auth/user/')).body.avatar;
}

/** What the clock is going to delete. */
async function gone(): Promise<string[]> {
  const rows = env.DB.prepare('SELECT object_key FROM objects_gone ORDER BY 1');
  return (await rows.raw<[string]>()).flat();
}
