import 'server-only';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { getPath } from 'hono/utils/url';
import { i18nFor } from '#i18n/server.ts';
import { AppError } from '#lib/app-error.ts';
import { errors } from '#vocabulary.ts';
import { languageOf } from './language.ts';
import { plainAnswer } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/** Path and query. Google's way back, our longest, has some hundred characters. */
const maxUrlLength = 4 * 1024;
/** All of ours together are less than 4 kB; other sites of the same domain may add theirs. */
const maxCookieLength = 8 * 1024;
/** Of a path that is refused: enough to tell the API from the pages. */
const refusedPathLength = 255;

/**
 * Refuses what is too long to read and cannot be cut: addresses and cookies. Decoding them costs an
 * exception for each broken piece, and much of what comes after reads them again.
 *
 * @throws AppError `url_too_long`, `cookies_too_large`, under /api; a page is refused in plain
 *   words
 */
export function sizeLimits() {
  return createMiddleware<HonoEnv>(async function sizeLimits(c, next) {
    if (isTooLong(c.req.url)) {
      return refuse(c, 'url_too_long', 414);
    }
    if (hasTooManyCookies(c)) {
      return refuse(c, 'cookies_too_large', 431);
    }
    return next();
  });
}

/**
 * The path of a request, for Hono: decoded, unless the address is one that `sizeLimits` refuses.
 */
export function pathOf(request: Request): string {
  return isTooLong(request.url)
    ? new URL(request.url).pathname.slice(0, refusedPathLength)
    : getPath(request);
}

/** Whether the cookies are more than anything should read. */
export function hasTooManyCookies(c: Context<HonoEnv>): boolean {
  return (c.req.header('Cookie') ?? '').length > maxCookieLength;
}

function isTooLong(url: string): boolean {
  return url.length > maxUrlLength;
}

function refuse(
  c: Context<HonoEnv>,
  code: 'cookies_too_large' | 'url_too_long',
  status: 414 | 431,
): Response {
  if (c.req.path.startsWith('/api/')) {
    throw new AppError(code);
  }
  return plainAnswer(c, status, i18nFor(languageOf(c))._(errors[code].text));
}
