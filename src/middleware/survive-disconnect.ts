import 'server-only';
import type { Context, ExecutionContext } from 'hono';
import { createMiddleware } from 'hono/factory';

/**
 * Sees a request through to its end when the client has hung up meanwhile. The runtime would stop
 * it where it stands: after a link was replaced and before its mail went out, or after an address
 * was changed and before its old owner was told. What React and Waku pipe from stream to stream at
 * that moment, it would also keep in memory.
 */
export function surviveDisconnect() {
  return createMiddleware(async function surviveDisconnect(c, next) {
    const done = next();
    executionContextOf(c)?.waitUntil(done.catch(() => {}));
    await done;
  });
}

/** Null where Hono was called without one, which its getter answers by throwing. */
export function executionContextOf(c: Context): ExecutionContext | null {
  try {
    return c.executionCtx;
  } catch {
    return null;
  }
}
