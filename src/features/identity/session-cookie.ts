import 'server-only';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { createToken, isToken } from '#lib/tokens.ts';
import { cookieOptions, readCookie } from '#middleware/cookies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { endAttempt } from './attempt-cookie.ts';
import { sessionLifetimeSeconds } from './live-sessions.ts';
import type { SignInDevice } from './new-session.ts';

const name = 'session';
const deviceCookie = 'browser';

/** The longest lifetime that browsers allow for a cookie. */
const deviceLifetimeSeconds = 400 * 24 * 60 * 60;

/**
 * Reads the session token from its cookie, and writes the cookie if the request has changed
 * `sessionToken`: a new token after a sign-in, null after log-out. `findActor` validates the token.
 *
 * The cookie lasts as long as a session can; the database limits its idle time.
 *
 * A sign-in sets a second cookie, which recognizes the browser when it requests a login link. It
 * stays after log-out and grants no access. The cookie of the attempt, if any, is deleted.
 */
export function sessionCookie() {
  return createMiddleware<HonoEnv>(async function sessionCookie(c, next) {
    const attributes = cookieOptions(c);
    const before = readCookie(c, name);
    const device = readCookie(c, deviceCookie);
    c.set('sessionToken', before);
    c.set('deviceToken', isToken(device) ? device : null);
    await next();
    const after = c.get('sessionToken');
    if (after === null && before !== null) {
      deleteCookie(c, name, attributes);
    } else if (after !== null && after !== before) {
      setCookie(c, name, after, { ...attributes, maxAge: sessionLifetimeSeconds });
      const { deviceToken } = signInDeviceOf(c);
      setCookie(c, deviceCookie, deviceToken, { ...attributes, maxAge: deviceLifetimeSeconds });
      endAttempt(c);
    }
  });
}

/** The facts about the browser for a sign-in. Creates a token for a browser that has none. */
export function signInDeviceOf(c: Context<HonoEnv>): SignInDevice {
  const deviceToken = c.get('deviceToken') ?? createToken();
  c.set('deviceToken', deviceToken);
  return {
    sessionToken: c.get('sessionToken'),
    deviceToken,
    userAgent: c.get('ctx').request.userAgent,
  };
}
