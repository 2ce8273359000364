import 'server-only';
import type { Context } from 'hono';

/** Whether a request is HEAD, which Hono routes to GET but which must have no effect. */
export function isHead(c: Context): boolean {
  return c.req.method === 'HEAD';
}
