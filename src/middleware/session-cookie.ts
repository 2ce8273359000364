import 'server-only';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { sessionLifetimeSeconds } from '#features/auth/live-sessions.ts';
import type { Browser } from '#features/auth/new-session.ts';
import type { HonoEnv } from './request-context.ts';

const name = 'session';

/**
 * Takes the session token from its cookie, and puts the one into it that the request has left in `sessionToken`: a new one after
 * a sign-in, null after the end of the session. Whether a token is worth anything is decided by `findViewer`.
 *
 * The cookie lives as long as a session can; how long it may lie idle is decided by the database.
 */
export function sessionCookie() {
  return createMiddleware<HonoEnv>(async function sessionCookie(c, next) {
    const { isHttps } = c.get('env');
    const attributes = {
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      ...(isHttps && { secure: true, prefix: 'host' as const }),
    } as const;
    const before = getCookie(c, name, isHttps ? 'host' : undefined) ?? null;
    c.set('sessionToken', before);
    await next();
    const after = c.get('sessionToken');
    if (after === null && before !== null) {
      deleteCookie(c, name, attributes);
    } else if (after !== null && after !== before) {
      setCookie(c, name, after, { ...attributes, maxAge: sessionLifetimeSeconds });
    }
  });
}

/** What a sign-in has to know of the browser. */
export function browserOf(c: Context<HonoEnv>): Browser {
  return { sessionToken: c.get('sessionToken'), userAgent: c.get('ctx').userAgent };
}
