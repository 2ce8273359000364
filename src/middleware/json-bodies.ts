import 'server-only';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#lib/app-error.ts';
import { apiPaths, emailPaths, webhookPaths } from '#paths.ts';
import type { HonoEnv } from './request-context.ts';

/** A cohort whose texts are all at their limits has up to 28 kB, by four bytes a character. */
const maxBodyBytes = 32 * 1024;
/** Mail programs send forms (RFC 8058). */
const formPaths: readonly string[] = [emailPaths.oneClick];
const largerBodies = new Map<string, number>([[webhookPaths.resend, 256 * 1024]]);
/** A list of people has up to 1 MB, to which JSON adds: each quotation mark becomes two signs. */
const listPattern = /^\/api\/cohorts\/[^/]+\/imports\/$/;
const maxListBytes = 2 * 1024 * 1024 + maxBodyBytes;

/**
 * Accepts only JSON bodies, of at most 32 kB (more for `largerBodies` and lists). Counts the bytes,
 * because Content-Length can be missing or wrong. Error reports have their own check, and mail
 * programs send forms.
 *
 * @throws AppError `unsupported_media_type`, `body_too_large`, `malformed_body`
 */
export function jsonBodies() {
  return createMiddleware<HonoEnv>(async function jsonBodies(c, next) {
    const { body } = c.req.raw;
    // Nothing reads their bodies, and a Request can't be created with one.
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (body !== null && !isRead && c.req.path !== apiPaths.errorReports) {
      const bytes = await readAtMost(body, maxBytesOf(c.req.path));
      const mediaType = c.req.header('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase();
      const isTaken = mediaType === 'application/json' || formPaths.includes(c.req.path);
      if (bytes.byteLength > 0 && !isTaken) {
        throw new AppError('unsupported_media_type');
      }
      c.req.raw = new Request(c.req.raw, { body: bytes });
    }
    await next();
  });
}

function maxBytesOf(path: string): number {
  return listPattern.test(path) ? maxListBytes : (largerBodies.get(path) ?? maxBodyBytes);
}

/**
 * Reads a body up to a maximum size.
 *
 * @throws AppError `body_too_large` if it is longer; `malformed_body` if it breaks off
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.byteLength;
      if (length > limit) {
        throw new AppError('body_too_large');
      }
      chunks.push(chunk);
    }
  } catch (error) {
    // A client that disconnects halfway is not an internal error.
    throw error instanceof AppError ? error : new AppError('malformed_body', { cause: error });
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
