import 'server-only';
import type { MiddlewareHandler } from 'hono';
import { languageDetector } from 'hono/language';
import { requestId } from 'hono/request-id';
import { defaultLocale, locales } from '#db/values.ts';
import { bookmarkCookie } from './bookmark.ts';
import { canonicalHost } from './canonical-host.ts';
import { csrfCookie } from './csrf.ts';
import { errorsOnly } from './errors-only.ts';
import { requestContext } from './request-context.ts';
import { requestStorage } from './request-storage.ts';
import { responseHeaders } from './response-headers.ts';
import { sessionCookie } from './session-cookie.ts';
import { sieve } from './sieve.ts';
import { untilDone } from './until-done.ts';

/** What stands before pages and /api alike, outermost first. */
export function foundation(options: { hotReload: boolean }): MiddlewareHandler[] {
  return [
    untilDone(),
    // Ours alone: an id that a client chose would let it write into the log.
    requestId({ headerName: '' }),
    responseHeaders(options),
    languageDetector({
      order: ['cookie', 'header'],
      lookupCookie: 'language',
      caches: false,
      supportedLanguages: [...locales],
      fallbackLanguage: defaultLocale,
    }),
    requestContext(),
    canonicalHost(),
    sieve(),
    sessionCookie(),
    bookmarkCookie(),
    csrfCookie(),
    requestStorage(),
    errorsOnly(),
  ];
}
