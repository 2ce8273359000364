import 'server-only';
import type { Context, ExecutionContext, Next } from 'hono';

/**
 * Completes a request even if the client disconnects. The runtime would stop it anywhere, such as
 * between replacing a link and sending its email, or between changing an address and notifying its
 * owner.
 */
export async function surviveDisconnect(c: Context, next: Next) {
  const done = next();
  executionContextOf(c)?.waitUntil(done.catch(() => {}));
  await done;
}

/** Null if Hono was called without one; its getter throws. */
export function executionContextOf(c: Context): ExecutionContext | null {
  try {
    return c.executionCtx;
  } catch {
    return null;
  }
}
