import 'server-only';
import { createMiddleware } from 'hono/factory';
import { plainAnswer } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/** Where Waku's router asks for a page in the browser. What else Waku could serve there we do not have. */
const payloadPattern = /^\/RSC\/R\/[\w./%-]+\.txt$/;

/**
 * Keeps every request that is not the reading of a page away from Waku and React, which would decode a body before anything
 * is checked. There are no server functions: browsers write through /api alone.
 */
export function readOnlyPages() {
  return createMiddleware<HonoEnv>(async function readOnlyPages(c, next) {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    const hasBody = c.req.raw.body !== null && c.req.header('Content-Length') !== '0';
    if (!isRead || hasBody) {
      return plainAnswer(c, 405, 'Method Not Allowed', { Allow: 'GET, HEAD' });
    }
    // As Waku reads it, not decoded as Hono does.
    const { pathname } = new URL(c.req.url);
    if (pathname.startsWith('/RSC/') && !payloadPattern.test(pathname)) {
      return plainAnswer(c, 404, 'Not Found');
    }
    return next();
  });
}
