import 'server-only';
import type { Context } from 'hono';

/** Answers once something is done, and says no more than that. */
export async function done(c: Context, act: Promise<void>) {
  await act;
  return c.body(null, 204);
}
