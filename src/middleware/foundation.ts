import 'server-only';
import type { MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';
import { bookmarkCookie } from './bookmark.ts';
import { canonicalHost } from './canonical-host.ts';
import { csrfCookie } from './csrf.ts';
import { errorsOnly } from './errors-only.ts';
import { requestBasics, requestContext } from './request-context.ts';
import { requestStorage } from './request-storage.ts';
import { responseHeaders } from './response-headers.ts';
import { sessionCookie } from './session-cookie.ts';
import { sieve } from './sieve.ts';
import { sizeLimits } from './size-limits.ts';
import { untilDone } from './until-done.ts';

/** What stands before pages and /api alike, outermost first. */
export function foundation(options: { hotReload: boolean }): MiddlewareHandler[] {
  return [
    untilDone(),
    // Ours alone: an id that a client chose would let it write into the log.
    requestId({ headerName: '' }),
    responseHeaders(options),
    requestBasics(),
    // Before anything reads more of a request than where it comes from.
    sieve(),
    sizeLimits(),
    canonicalHost(),
    requestContext(),
    sessionCookie(),
    bookmarkCookie(),
    csrfCookie(),
    requestStorage(),
    errorsOnly(),
  ];
}
