import 'server-only';
import type { Context, ExecutionContext } from 'hono';
import { createMiddleware } from 'hono/factory';

/**
 * Completes a request even if the client disconnects. The runtime would stop it anywhere, such as
 * between replacing a link and sending its email, or between changing an address and notifying its
 * owner.
 */
export function surviveDisconnect() {
  return createMiddleware(async function surviveDisconnect(c, next) {
    const done = next();
    executionContextOf(c)?.waitUntil(done.catch(() => {}));
    await done;
  });
}

/** Null if Hono was called without one; its getter throws. */
export function executionContextOf(c: Context): ExecutionContext | null {
  try {
    return c.executionCtx;
  } catch {
    return null;
  }
}
