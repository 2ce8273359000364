import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { commonMiddleware } from '#common-middleware.ts';
import type { Bindings } from '#env.ts';
import { fileTypes } from '#features/files/file-types.ts';
import type { ShownFile, Upload } from '#features/files/schema.ts';
import { storedFiles } from '#features/files/serve-files.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { type Client, origin } from '#support/client.ts';

/** The bytes of each type that tests upload, which are not worth much as a file. */
export const png = bytesOf('\x89PNG\r\n\x1a\n and so on');
export const text = bytesOf('Nobody asks.');

/** Bytes by characters below 256. */
export function bytesOf(characters: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

type Sent = {
  name?: string;
  content_type?: string;
  bytes?: Uint8Array<ArrayBuffer>;
  /** As declared, if it is not how many there are. */
  size?: number;
};

export function startUpload(
  { send }: Client,
  courseId: string,
  sent: Sent = {},
  bindings: Partial<Bindings> = {},
) {
  const { content_type = 'text/plain', bytes = text } = sent;
  const { name = `notes.${fileTypes[content_type]?.endings[0]}` } = sent;
  const input = { name, content_type, size: sent.size ?? bytes.length };
  return send<Upload>('POST', `/api/courses/${courseId}/files/`, input, { bindings });
}

/** An upload of which nothing has been sent. */
export async function beginUpload(client: Client, courseId: string, sent: Sent = {}) {
  const { body } = await startUpload(client, courseId, sent);
  return { ...body, path: `/api/courses/${courseId}/files/${body.id}/` };
}

export function sendPart(
  { send }: Client,
  path: string,
  number: number,
  raw: BodyInit & { length?: number },
  options: { headers?: Record<string, string>; bindings?: Partial<Bindings> } = {},
) {
  const headers = { 'Content-Length': String(raw.length), ...options.headers };
  return send('PUT', `${path}parts/${number}/`, undefined, { ...options, raw, headers });
}

/** Uploads a whole file in parts of the size that the answer says. */
export async function upload(client: Client, courseId: string, sent: Sent = {}) {
  const { id, path, parts, part_size: size } = await beginUpload(client, courseId, sent);
  const { bytes = text } = sent;
  for (let at = 0; at < parts; at += 1) {
    await sendPart(client, path, at + 1, bytes.slice(at * size, (at + 1) * size));
  }
  const answer = await client.send<ShownFile>('POST', `${path}complete/`);
  return { id, path, answer, file: answer.body };
}

const site = new HonoBase<HonoEnv>({ router: new TrieRouter() });
site.use(...commonMiddleware('pages'), storedFiles());

/** A request without cookies for the address of a file. */
export function fetchFile(
  url: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
  bindings: Partial<Bindings> = {},
): Promise<Response> {
  return Promise.resolve(
    site.request(
      `${origin}${url}`,
      { method, headers: { 'CF-Connecting-IP': '10.9.9.9', ...headers } },
      { ...env, ...bindings },
      createExecutionContext(),
    ),
  );
}

/** The bucket with one method that fails as R2 does. */
export function failing(method: keyof R2Bucket): R2Bucket {
  const fail = () => Promise.reject(new Error('We encountered an internal error. (10001)'));
  return bucketWith(
    method === 'resumeMultipartUpload'
      ? { resumeMultipartUpload: () => ({ uploadPart: fail, complete: fail, abort: fail }) }
      : { [method]: fail },
  );
}

/** The bucket with some methods of a test, of which only what is called has to be there. */
export function bucketWith(methods: Record<string, unknown>): R2Bucket {
  return new Proxy(env.FILES, {
    get(bucket, name) {
      const value = Object.hasOwn(methods, name)
        ? methods[String(name)]
        : Reflect.get(bucket, name);
      return typeof value === 'function' ? value.bind(bucket) : value;
    },
  });
}

/** A document with a file, and the image that it may be. */
export function documentWith(...keys: string[]) {
  return {
    type: 'doc' as const,
    content: keys.map((key) => ({ type: 'file', attrs: { file: key, name: 'notes.txt' } })),
  };
}

/** What is stored at R2. */
export async function storedKeys(): Promise<string[]> {
  return (await env.FILES.list()).objects.map(({ key }) => key);
}
