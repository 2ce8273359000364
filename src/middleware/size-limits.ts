import 'server-only';
import { createMiddleware } from 'hono/factory';
import { getPath } from 'hono/utils/url';
import { AppError } from '#lib/app-error.ts';
import { hasTooManyCookies } from './language.ts';
import { refuse } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/** Path and query. Google's way back, our longest, has some hundred characters. */
const maxUrlLength = 4 * 1024;
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
      return refuse(c, new AppError('url_too_long'));
    }
    if (hasTooManyCookies(c)) {
      return refuse(c, new AppError('cookies_too_large'));
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

function isTooLong(url: string): boolean {
  return url.length > maxUrlLength;
}
