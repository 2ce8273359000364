import 'server-only';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { HonoEnv } from './request-context.ts';

/**
 * The attributes of our cookies, which scripts and, on https, other hosts can't access. Lax,
 * because browsers don't send Strict cookies with requests from Google or from links in emails.
 */
export function cookieOptions(c: Context<HonoEnv>) {
  return {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    ...(c.get('env').isHttps && { secure: true, prefix: 'host' as const }),
  } as const;
}

/** The value of a cookie with these attributes; null without one. */
export function readCookie(c: Context<HonoEnv>, name: string): string | null {
  return getCookie(c, name, c.get('env').isHttps ? 'host' : undefined) ?? null;
}

/** All our cookies are less than 4 kB; other sites of the same domain may add theirs. */
const maxCookieLength = 8 * 1024;

/** Whether the cookies are too long to parse. */
export function hasTooManyCookies(c: Context<HonoEnv>): boolean {
  return (c.req.header('Cookie') ?? '').length > maxCookieLength;
}
