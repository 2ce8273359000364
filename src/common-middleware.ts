import 'server-only';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { requestId } from 'hono/request-id';
import { sessionCookie } from '#features/identity/session-cookie.ts';
import { learnerCookie } from '#features/learning/learner-cookie.ts';
import { bookmarkCookie } from '#middleware/bookmark.ts';
import { canonicalHost, canonicalPath } from '#middleware/canonical-address.ts';
import { cohortPages } from '#middleware/cohort-pages.ts';
import { csrfCookie } from '#middleware/csrf.ts';
import { floodLimit } from '#middleware/flood-limit.ts';
import { kindOf } from '#middleware/path-kinds.ts';
import { requestBasics, requestContext } from '#middleware/request-context.ts';
import { requestStorage } from '#middleware/request-storage.ts';
import { type ResponseKind, responseHeaders } from '#middleware/response-headers.ts';
import { sizeLimits } from '#middleware/size-limits.ts';
import { surviveDisconnect } from '#middleware/survive-disconnect.ts';

/** The middleware of pages or of /api, outermost first. */
export function commonMiddleware(kind: ResponseKind): MiddlewareHandler[] {
  return [
    surviveDisconnect,
    // Generated here, because an id from a header would let clients write into the log.
    requestId({ headerName: '' }),
    responseHeaders(kind),
    requestBasics,
    // Before anything that reads more of a request than the client's address.
    floodLimit,
    sizeLimits,
    canonicalHost,
    // Paths of the API end in a slash, and its router takes no other spelling.
    ...(kind === 'data' ? [] : [canonicalPath]),
    requestContext,
    ...browserSession(),
    learnerCookie,
    requestStorage,
    cohortPages,
    errorsOnly,
  ];
}

/** Only for browsers that may be signed in; elsewhere, no cookies are read or set. */
function browserSession(): MiddlewareHandler[] {
  return [sessionCookie, bookmarkCookie, csrfCookie].map(
    (middleware): MiddlewareHandler =>
      (c, next) =>
        kindOf(c.req.path).hasSession ? middleware(c, next) : next(),
  );
}

/** Wraps thrown values that are not Errors, because Hono passes only Errors to `onError`. */
async function errorsOnly(_c: Context, next: Next) {
  try {
    await next();
  } catch (thrown) {
    throw thrown instanceof Error ? thrown : new Error('Something was thrown that is no Error');
  }
}
