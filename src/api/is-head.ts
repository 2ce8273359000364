import 'server-only';
import type { Context } from 'hono';

/** Whether a request asks what GET would answer: Hono hands it to the route of GET, and nothing may be done. */
export function isHead(c: Context): boolean {
  return c.req.method === 'HEAD';
}
