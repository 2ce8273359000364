import 'server-only';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { requestId } from 'hono/request-id';
import { bookmarkCookie } from './bookmark.ts';
import { canonicalHost } from './canonical-host.ts';
import { csrfCookie } from './csrf.ts';
import { floodLimit } from './flood-limit.ts';
import { isPublic } from './public-paths.ts';
import { requestBasics, requestContext } from './request-context.ts';
import { requestStorage } from './request-storage.ts';
import { responseHeaders } from './response-headers.ts';
import { sessionCookie } from './session-cookie.ts';
import { sizeLimits } from './size-limits.ts';
import { surviveDisconnect } from './survive-disconnect.ts';

/** What runs before pages and /api alike, outermost first. */
export function commonMiddleware(options: { hotReload: boolean }): MiddlewareHandler[] {
  return [
    surviveDisconnect(),
    // Ours alone: an id that a client chose would let it write into the log.
    requestId({ headerName: '' }),
    responseHeaders(options),
    requestBasics(),
    // Before anything reads more of a request than where it comes from.
    floodLimit(),
    sizeLimits(),
    canonicalHost(),
    requestContext(),
    ...browserSession(),
    requestStorage(),
    errorsOnly(),
  ];
}

/** What only a browser that may be signed in needs: its cookies are neither read nor set elsewhere. */
function browserSession(): MiddlewareHandler[] {
  return [sessionCookie(), bookmarkCookie(), csrfCookie()].map((middleware) =>
    createMiddleware(async (c, next) => (isPublic(c.req.path) ? next() : middleware(c, next))),
  );
}

/** Hono hands only Errors to `onError` and lets anything else that was thrown fall through, out of the worker. */
function errorsOnly() {
  return createMiddleware(async function errorsOnly(_c, next) {
    try {
      await next();
    } catch (thrown) {
      throw thrown instanceof Error ? thrown : new Error('Something was thrown that is no Error');
    }
  });
}
