import 'server-only';
import type { Context, Next } from 'hono';
import { AppError } from '#lib/app-error.ts';
import { kindOf } from './path-kinds.ts';
import type { HonoEnv } from './request-context.ts';

/**
 * Accepts only JSON bodies, of at most as many bytes as path-kinds.ts says. Counts them, because
 * Content-Length can be missing or wrong. Mail programs send forms.
 *
 * @throws AppError `unsupported_media_type`, `body_too_large`, `malformed_body`
 */
export async function jsonBodies(c: Context<HonoEnv>, next: Next) {
  const { body } = c.req.raw;
  // Nothing reads their bodies, and a Request can't be created with one.
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  const { maxBodyBytes, takesForms } = kindOf(c.req.path);
  if (body !== null && !isRead && maxBodyBytes !== null) {
    const bytes = await readAtMost(body, maxBodyBytes);
    const mediaType = c.req.header('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase();
    if (bytes.byteLength > 0 && mediaType !== 'application/json' && !takesForms) {
      throw new AppError('unsupported_media_type');
    }
    c.req.raw = new Request(c.req.raw, { body: bytes });
  }
  await next();
}

/**
 * Reads a body up to a maximum size.
 *
 * @throws AppError `body_too_large`, or another, if it is longer; `malformed_body` if it breaks off
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  limit: number,
  tooLarge = () => new AppError('body_too_large'),
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.byteLength;
      if (length > limit) {
        throw tooLarge();
      }
      chunks.push(chunk);
    }
  } catch (error) {
    // A client that disconnects halfway is not an internal error.
    throw error instanceof AppError ? error : new AppError('malformed_body', { cause: error });
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
