import 'server-only';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#lib/app-error.ts';
import { apiPaths, webhookPaths } from '#paths.ts';
import type { HonoEnv } from './request-context.ts';

const maxBodyBytes = 16 * 1024;
const largerBodies = new Map<string, number>([[webhookPaths.resend, 256 * 1024]]);

/**
 * Accepts only JSON bodies, of at most 16 kB (more for `largerBodies`). Counts the bytes, because
 * Content-Length can be missing or wrong. Error reports have their own check.
 *
 * @throws AppError `unsupported_media_type`, `body_too_large`, `malformed_body`
 */
export function jsonBodies() {
  return createMiddleware<HonoEnv>(async function jsonBodies(c, next) {
    const { body } = c.req.raw;
    // Nothing reads their bodies, and a Request can't be created with one.
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (body !== null && !isRead && c.req.path !== apiPaths.errorReports) {
      const bytes = await readAtMost(body, largerBodies.get(c.req.path) ?? maxBodyBytes);
      const mediaType = c.req.header('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase();
      if (bytes.byteLength > 0 && mediaType !== 'application/json') {
        throw new AppError('unsupported_media_type');
      }
      c.req.raw = new Request(c.req.raw, { body: bytes });
    }
    await next();
  });
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
