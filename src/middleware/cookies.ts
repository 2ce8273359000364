import 'server-only';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { HonoEnv } from './request-context.ts';

/**
 * How our cookies are set: out of reach of scripts and, on https, of other hosts. Lax, because with
 * Strict a browser that Google or an email sends would leave them at home.
 */
export function cookieOptions(c: Context<HonoEnv>) {
  return {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    ...(c.get('env').isHttps && { secure: true, prefix: 'host' as const }),
  } as const;
}

/** The value of a cookie that was set so; null without one. */
export function readCookie(c: Context<HonoEnv>, name: string): string | null {
  return getCookie(c, name, c.get('env').isHttps ? 'host' : undefined) ?? null;
}
