import 'server-only';
import { createMiddleware } from 'hono/factory';
import type { HonoEnv } from './request-context.ts';

/**
 * Keeps every request with a body away from Waku and React, which would decode it before anything is checked. There are no
 * server functions: browsers write through /api alone.
 */
export function pagesTakeNoBody() {
  return createMiddleware<HonoEnv>(async function pagesTakeNoBody(c, next) {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!isRead || c.req.raw.body !== null) {
      return c.text('Method Not Allowed\n', 405, { Allow: 'GET, HEAD' });
    }
    return next();
  });
}
