import 'server-only';
import type { Context, Next } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { returnCookie, returnPathOf } from '#lib/return-path.ts';
import { createToken, isToken } from '#lib/tokens.ts';
import { cookieOptions, readCookie } from '#middleware/cookies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { paths } from '#paths.ts';
import { codeLifetimeSeconds } from './codes.ts';
import { sessionLifetimeSeconds } from './live-links-and-sessions.ts';
import type { SignInDevice } from './new-session.ts';

const name = 'session';
const deviceCookie = 'browser';
/** One for all tabs: only the code in the latest email works. */
const attemptCookie = 'attempt';

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
export async function sessionCookie(c: Context<HonoEnv>, next: Next) {
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
    // The attempt of a browser that has signed in.
    if (readCookie(c, attemptCookie) !== null) {
      deleteCookie(c, attemptCookie, attributes);
    }
  }
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

/** Lets the browser use the code in the email that it has just asked for. */
export function keepAttempt(c: Context<HonoEnv>, token: string): void {
  setCookie(c, attemptCookie, token, { ...cookieOptions(c), maxAge: codeLifetimeSeconds });
}

/** The token of the browser's attempt; null without one. */
export function attemptOf(c: Context<HonoEnv>): string | null {
  const token = readCookie(c, attemptCookie);
  return isToken(token) ? token : null;
}

/**
 * The page to continue to after a sign-in: the one that asked for it, or home. The cookie is used
 * up. Scripts write it, on /login, so it is checked here.
 */
export function takeReturnPath(c: Context<HonoEnv>): string {
  const path = getCookie(c, returnCookie) ?? null;
  if (path !== null) {
    deleteCookie(c, returnCookie);
  }
  return returnPathOf(path, c.get('env').appOrigin) ?? paths.home;
}
