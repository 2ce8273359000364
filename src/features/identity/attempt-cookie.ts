import 'server-only';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { isToken } from '#lib/tokens.ts';
import { cookieOptions, readCookie } from '#middleware/cookies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { codeLifetimeSeconds } from './codes.ts';

/** One for all tabs: only the code in the latest email works. */
const name = 'attempt';

/** Lets the browser use the code in the email that it has just asked for. */
export function keepAttempt(c: Context<HonoEnv>, token: string): void {
  setCookie(c, name, token, { ...cookieOptions(c), maxAge: codeLifetimeSeconds });
}

/** The token of the browser's attempt; null without one. */
export function attemptOf(c: Context<HonoEnv>): string | null {
  const token = readCookie(c, name);
  return isToken(token) ? token : null;
}

/** Removes the attempt of a browser that has signed in. */
export function endAttempt(c: Context<HonoEnv>): void {
  if (readCookie(c, name) !== null) {
    deleteCookie(c, name, cookieOptions(c));
  }
}
