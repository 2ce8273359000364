import 'server-only';
import type { Context, Next } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { isToken } from '#lib/tokens.ts';
import { cookieOptions, readCookie } from '#middleware/cookies.ts';
import { kindOf } from '#middleware/path-kinds.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { codeLifetimeSeconds, rememberedDays } from './device.ts';

const name = 'learner';
/** One for all windows: only the code in the latest email works. */
const attemptCookie = 'learner-attempt';

/**
 * Reads which learners the browser is remembered for, and writes the cookie if the request has
 * changed that. Pages and verbs check the text: see device.ts.
 */
export async function learnerCookie(c: Context<HonoEnv>, next: Next) {
  if (!kindOf(c.req.path).remembersLearners) {
    return next();
  }
  const before = readCookie(c, name);
  const device = c.get('learnerDevice');
  device.cookie = before;
  await next();
  const { cookie: after } = device;
  if (after === null && before !== null) {
    deleteCookie(c, name, cookieOptions(c));
  } else if (after !== null && after !== before) {
    setCookie(c, name, after, { ...cookieOptions(c), maxAge: rememberedDays * 24 * 60 * 60 });
  }
}

/** Lets the browser use the code in the email that it has just asked for. */
export function keepLearnerAttempt(c: Context<HonoEnv>, token: string): void {
  setCookie(c, attemptCookie, token, { ...cookieOptions(c), maxAge: codeLifetimeSeconds });
}

/** The token of the browser's attempt; null without one. */
export function learnerAttemptOf(c: Context<HonoEnv>): string | null {
  const token = readCookie(c, attemptCookie);
  return isToken(token) ? token : null;
}

/** Ends the attempt of the browser, whose code was used. */
export function endLearnerAttempt(c: Context<HonoEnv>): void {
  deleteCookie(c, attemptCookie, cookieOptions(c));
}
