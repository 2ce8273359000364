import 'server-only';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { requestId } from 'hono/request-id';
import { bookmarkCookie } from './bookmark.ts';
import { canonicalHost } from './canonical-host.ts';
import { canonicalPath } from './canonical-path.ts';
import { cohortPages } from './cohort-pages.ts';
import { csrfCookie } from './csrf.ts';
import { floodLimit } from './flood-limit.ts';
import { kindOf } from './path-kinds.ts';
import { requestBasics, requestContext } from './request-context.ts';
import { requestStorage } from './request-storage.ts';
import { type Answers, responseHeaders } from './response-headers.ts';
import { sessionCookie } from './session-cookie.ts';
import { sizeLimits } from './size-limits.ts';
import { surviveDisconnect } from './survive-disconnect.ts';

/** The middleware of pages or of /api, outermost first. */
export function commonMiddleware(answers: Answers): MiddlewareHandler[] {
  return [
    surviveDisconnect(),
    // Generated here, because an id from a header would let clients write into the log.
    requestId({ headerName: '' }),
    responseHeaders(answers),
    requestBasics(),
    // Before anything that reads more of a request than the client's address.
    floodLimit(),
    sizeLimits(),
    canonicalHost(),
    // Paths of the API end in a slash, and its router takes no other spelling.
    ...(answers === 'data' ? [] : [canonicalPath()]),
    requestContext(),
    ...browserSession(),
    requestStorage(),
    cohortPages(),
    errorsOnly(),
  ];
}

/** Only for browsers that may be signed in; elsewhere, no cookies are read or set. */
function browserSession(): MiddlewareHandler[] {
  return [sessionCookie(), bookmarkCookie(), csrfCookie()].map((middleware) =>
    createMiddleware(async (c, next) =>
      kindOf(c.req.path).hasSession ? middleware(c, next) : next(),
    ),
  );
}

/** Wraps thrown values that are not Errors, because Hono passes only Errors to `onError`. */
function errorsOnly() {
  return createMiddleware(async function errorsOnly(_c, next) {
    try {
      await next();
    } catch (thrown) {
      throw thrown instanceof Error ? thrown : new Error('Something was thrown that is no Error');
    }
  });
}
