import 'server-only';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { sessionLifetimeSeconds } from '#features/auth/find-viewer.ts';
import type { HonoEnv } from './request-context.ts';

const name = 'session';

/** Takes the session token from its cookie. Whether it is worth anything is decided by `findViewer`. */
export function sessionCookie() {
  return createMiddleware<HonoEnv>(async function sessionCookie(c, next) {
    const { isHttps } = c.get('env');
    c.set('sessionToken', getCookie(c, name, isHttps ? 'host' : undefined) ?? null);
    await next();
  });
}

/** The cookie lives as long as a session can; how long it may lie idle is decided by the database. */
export function setSessionCookie(c: Context<HonoEnv>, token: string): void {
  setCookie(c, name, token, { ...attributes(c), maxAge: sessionLifetimeSeconds });
  c.set('sessionToken', token);
}

export function clearSessionCookie(c: Context<HonoEnv>): void {
  deleteCookie(c, name, attributes(c));
  c.set('sessionToken', null);
}

function attributes(c: Context<HonoEnv>) {
  const { isHttps } = c.get('env');
  return {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    ...(isHttps && { secure: true, prefix: 'host' as const }),
  } as const;
}
