import 'server-only';
import type { Context, Next } from 'hono';
import { isPageOrPayload } from './path-kinds.ts';
import { plainAnswer } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/**
 * Lets only reads reach Waku and React, which would decode a body before any check. There are no
 * server functions: browsers write only through /api.
 */
export async function readOnlyPages(c: Context<HonoEnv>, next: Next) {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  const hasBody = c.req.raw.body !== null && c.req.header('Content-Length') !== '0';
  if (!isRead || hasBody) {
    return plainAnswer(c, 405, 'Method Not Allowed', { Allow: 'GET, HEAD' });
  }
  // The path as Waku reads it; Hono would decode it.
  const { pathname } = new URL(c.req.url);
  return isPageOrPayload(pathname) ? next() : plainAnswer(c, 404, 'Not Found');
}
