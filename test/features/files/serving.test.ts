import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { fileTypes } from '#features/files/file-types.ts';
import { partSize } from '#features/files/vocabulary.ts';
import { loggedEvents } from '#support/console.ts';
import { createAuthor } from '../lessons/support.ts';
import { bytesOf, failing, fetchFile, png, upload } from './support.ts';

const whole = 'abcdefghijklmnopqrstuvwxyz';
const name = 'Scènes (1) & more.txt';

async function uploaded() {
  const { client, course } = await createAuthor();
  const { file } = await upload(client, course.id, { name, bytes: bytesOf(whole) });
  return file.url;
}

describe('ranges', () => {
  test.each([
    ['bytes=0-1', 206, 'ab', 'bytes 0-1/26'],
    ['Bytes=0-1', 206, 'ab', 'bytes 0-1/26'],
    ['bytes=-5', 206, 'vwxyz', 'bytes 21-25/26'],
    ['bytes=-500', 206, whole, 'bytes 0-25/26'],
    ['bytes=20-', 206, 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=24-500', 206, 'yz', 'bytes 24-25/26'],
    ['bytes=26-', 416, '', 'bytes */26'],
    ['bytes=-0', 416, '', 'bytes */26'],
    ['bytes=0-1,4-5', 200, whole, null],
    ['bytes=5-1', 200, whole, null],
    ['bytes=-', 200, whole, null],
    ['lines=0-1', 200, whole, null],
    ['bytes=x-1', 200, whole, null],
  ])('%s is answered with %i', async (range, status, body, contentRange) => {
    const response = await fetchFile(await uploaded(), { Range: range });
    expect([response.status, await response.text()]).toEqual([status, body]);
    expect(response.headers.get('Content-Range')).toBe(contentRange);
    const length = status === 416 ? null : String(body.length);
    expect(response.headers.get('Content-Length')).toBe(length);
  });

  test('across two parts of an upload are whole', async () => {
    const { client, course } = await createAuthor();
    const bytes = new Uint8Array(partSize + 100).map((_, at) => at % 251);
    bytes.set(bytesOf('\x1a\x45\xdf\xa3'));
    const sent = { name: 'a.webm', content_type: 'video/webm', bytes };
    const { file } = await upload(client, course.id, sent);
    const range = `bytes=${partSize - 10}-${partSize + 9}`;
    const response = await fetchFile(file.url, { Range: range });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(
      bytes.slice(partSize - 10, partSize + 10),
    );
  });

  test('of an earlier version are answered with the whole file', async () => {
    const url = await uploaded();
    const tag = (await fetchFile(url)).headers.get('ETag') ?? '';
    const range = { Range: 'bytes=0-1' };
    expect((await fetchFile(url, { ...range, 'If-Range': tag })).status).toBe(206);
    expect((await fetchFile(url, { ...range, 'If-Range': '"other"' })).status).toBe(200);
  });
});

test('what a browser has is not sent again, and HEAD sends nothing', async () => {
  const url = await uploaded();
  const first = await fetchFile(url);
  const tag = first.headers.get('ETag') ?? '';
  expect(first.headers.get('Cache-Control')).toBe('private, max-age=86400, immutable');
  expect(first.headers.get('Vary')).toBeNull();
  expect(first.headers.getSetCookie()).toEqual([]);
  const known = await fetchFile(url, { 'If-None-Match': `W/${tag}` });
  expect([known.status, await known.text()]).toEqual([304, '']);
  const head = await fetchFile(url, { method: 'HEAD', Range: 'bytes=0-1' });
  expect([head.status, head.headers.get('Content-Range')]).toEqual([200, null]);
  expect([head.headers.get('Content-Length'), await head.text()]).toEqual(['26', '']);
});

describe('an address', () => {
  test('with any character changed is refused', async () => {
    const url = await uploaded();
    const changed = [...url.slice('/files/'.length)].flatMap((character, at) => {
      const other = character === 'a' ? 'b' : 'a';
      const place = '/files/'.length + at;
      // A slash or an escape less is another path.
      const isPartOfPath = character === '/' || url.slice(place - 2, place + 1).includes('%');
      return isPartOfPath ? [] : `${url.slice(0, place)}${other}${url.slice(place + 1)}`;
    });
    const statuses = await Promise.all(changed.map(async (one) => (await fetchFile(one)).status));
    expect(new Set(statuses)).toEqual(new Set([403]));
  });

  test('is the same all day, and ends with the next one', async () => {
    vi.setSystemTime('2027-03-01T00:00:00Z');
    const { client, course } = await createAuthor();
    const { file, path } = await upload(client, course.id);
    vi.setSystemTime('2027-03-01T23:59:59.999Z');
    const again = await client.send('POST', `${path}complete/`);
    expect(again.body).toMatchObject({ url: file.url });
    vi.setSystemTime('2027-03-02T23:59:59.999Z');
    expect((await fetchFile(file.url)).status).toBe(200);
    vi.setSystemTime('2027-03-03T00:00:00Z');
    expect((await fetchFile(file.url)).status).toBe(403);
  });

  test('of a file that was deleted leads nowhere, as without a place for files', async () => {
    const url = await uploaded();
    expect((await fetchFile(url, {}, { FILES: undefined } as object)).status).toBe(404);
    const { objects } = await env.FILES.list();
    await env.FILES.delete(objects.map(({ key }) => key));
    expect((await fetchFile(url)).status).toBe(404);
  });

  test('of a file with an odd name can be asked for', async () => {
    const { client, course } = await createAuthor();
    for (const odd of ['..txt', '.md', '...md', '%2e%2e.txt', 'a/../b.txt', 'a\\b.txt', '?#.txt']) {
      const content_type = odd.endsWith('.md') ? 'text/markdown' : 'text/plain';
      const { file } = await upload(client, course.id, { name: odd, content_type });
      expect((await fetchFile(file.url)).status, odd).toBe(200);
    }
  });

  test('says so if R2 fails, which is no report', async () => {
    const picture = `pictures/${'a'.repeat(26)}`;
    await env.FILES.put(picture, png);
    for (const url of [await uploaded(), `/${picture}`]) {
      for (const method of ['head', 'get'] as const) {
        const response = await fetchFile(url, {}, { FILES: failing(method) });
        expect(response.status).toBe(503);
        expect(response.headers.get('Cache-Control')).toBe('no-store');
      }
    }
    expect(loggedEvents('file_unavailable')).toHaveLength(4);
  });

  test('asks no database', async () => {
    const url = await uploaded();
    const DB = new Proxy(env.DB, {
      get: (database, property) =>
        property === 'withSession'
          ? () => ({ prepare: () => expect.unreachable(), batch: () => expect.unreachable() })
          : Reflect.get(database, property),
    });
    expect((await fetchFile(url, {}, { DB })).status).toBe(200);
  });
});

describe('a browser', () => {
  const zip = bytesOf('PK\x03\x04 and so on');
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

  test.each([
    ['text/plain', bytesOf('<script>alert(1)</script>'), 'attachment'],
    ['application/zip', zip, 'attachment'],
    [docx, zip, 'attachment'],
    ['image/png', png, 'inline'],
    ['application/pdf', bytesOf('%PDF-1.7'), 'inline'],
  ])('never runs anything in %s', async (content_type, bytes, disposition) => {
    const { client, course } = await createAuthor();
    const ending = fileTypes[content_type]?.endings[0];
    const named = name.replace('txt', ending ?? '');
    const { file } = await upload(client, course.id, { name: named, content_type, bytes });
    const { headers } = await fetchFile(file.url);
    expect(headers.get('Content-Disposition')).toBe(
      `${disposition}; filename*=UTF-8''Sc%C3%A8nes%20%281%29%20%26%20more.${ending}`,
    );
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toMatch(
      content_type === 'application/pdf' ? /^default-src 'none'$/ : /^default-src 'none'; sandbox$/,
    );
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
  });
});
