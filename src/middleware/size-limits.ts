import 'server-only';
import type { Context, Next } from 'hono';
import { getPath } from 'hono/utils/url';
import { AppError } from '#lib/app-error.ts';
import { hasTooManyCookies } from './cookies.ts';
import { refuse } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/** Path and query. Google's callback, our longest URL, has a few hundred characters. */
const maxUrlLength = 4 * 1024;
/** The part of a refused path to keep: enough to tell the API from pages. */
const refusedPathLength = 255;

/**
 * Refuses URLs and cookies that are too long, which can't be cut. Decoding throws for each
 * malformed part, and later code decodes them repeatedly.
 *
 * @throws AppError `url_too_long`, `cookies_too_large`, under /api; pages get a plain-text refusal
 */
export async function sizeLimits(c: Context<HonoEnv>, next: Next) {
  if (isTooLong(c.req.url)) {
    return refuse(c, new AppError('url_too_long'));
  }
  if (hasTooManyCookies(c)) {
    return refuse(c, new AppError('cookies_too_large'));
  }
  return next();
}

/** The path of a request, for Hono: decoded, unless `sizeLimits` refuses the URL. */
export function pathOf(request: Request): string {
  return isTooLong(request.url)
    ? new URL(request.url).pathname.slice(0, refusedPathLength)
    : getPath(request);
}

function isTooLong(url: string): boolean {
  return url.length > maxUrlLength;
}
