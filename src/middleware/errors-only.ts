import 'server-only';
import { createMiddleware } from 'hono/factory';

/** Hono hands only Errors to `onError` and lets anything else that was thrown fall through, out of the worker. */
export function errorsOnly() {
  return createMiddleware(async function errorsOnly(_c, next) {
    try {
      await next();
    } catch (thrown) {
      throw thrown instanceof Error ? thrown : new Error('Something was thrown that is no Error');
    }
  });
}
