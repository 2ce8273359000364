import 'server-only';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { sessionLifetimeSeconds } from '#features/auth/live-sessions.ts';
import type { SignInDevice } from '#features/auth/new-session.ts';
import { createToken, isToken } from '#lib/tokens.ts';
import { cookieOptions, readCookie } from './cookies.ts';
import type { HonoEnv } from './request-context.ts';

const name = 'session';
const browserName = 'browser';

/** The longest that browsers keep a cookie. */
const browserLifetimeSeconds = 400 * 24 * 60 * 60;

/**
 * Takes the session token from its cookie, and puts the one into it that the request has left in `sessionToken`: a new one after
 * a sign-in, null after the end of the session. Whether a token is worth anything is decided by `findActor`.
 *
 * The cookie lives as long as a session can; how long it may lie idle is decided by the database.
 *
 * A sign-in leaves a second cookie, by which the browser is recognized when it asks for a login
 * link. It stays after log-out and opens nothing.
 */
export function sessionCookie() {
  return createMiddleware<HonoEnv>(async function sessionCookie(c, next) {
    const attributes = cookieOptions(c);
    const before = readCookie(c, name);
    const browser = readCookie(c, browserName);
    c.set('sessionToken', before);
    c.set('deviceToken', isToken(browser) ? browser : null);
    await next();
    const after = c.get('sessionToken');
    if (after === null && before !== null) {
      deleteCookie(c, name, attributes);
    } else if (after !== null && after !== before) {
      setCookie(c, name, after, { ...attributes, maxAge: sessionLifetimeSeconds });
      const { deviceToken } = signInDeviceOf(c);
      setCookie(c, browserName, deviceToken, { ...attributes, maxAge: browserLifetimeSeconds });
    }
  });
}

/**
 * What a sign-in has to know of the browser. One that has never signed in gets its token with that.
 */
export function signInDeviceOf(c: Context<HonoEnv>): SignInDevice {
  const deviceToken = c.get('deviceToken') ?? createToken();
  c.set('deviceToken', deviceToken);
  return {
    sessionToken: c.get('sessionToken'),
    deviceToken,
    userAgent: c.get('ctx').request.userAgent,
  };
}
