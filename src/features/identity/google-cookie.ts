import 'server-only';
import type { Context } from 'hono';
import { deleteCookie, getCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { clockToleranceMs, isToken } from '#lib/tokens.ts';
import { cookieOptions } from '#middleware/cookies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import type { GoogleAttempt } from './google.ts';

/** Each attempt has its own cookie, so that tabs do not interfere with each other. */
const namePrefix = 'google_';
/** Browsers may have others, with names that Hono refuses to set, by throwing. */
const namePattern = /^google_[0-9a-f]{16}$/;
const lifetimeSeconds = 10 * 60;
/** Beyond these, the oldest are deleted, because every request sends all cookies. */
const maxAttempts = 5;

/** Stores an attempt in a cookie until Google's answer. Signed, so that it can't be forged. */
export async function keepGoogleAttempt(
  c: Context<HonoEnv>,
  { state, codeVerifier, nonce }: GoogleAttempt,
): Promise<void> {
  const cookies = attemptCookies(c).sort((one, other) => one.startedAt - other.startedAt);
  for (const { name } of cookies.slice(0, Math.max(0, cookies.length - maxAttempts + 1))) {
    deleteCookie(c, name, cookieOptions(c));
  }
  const startedAt = c.get('ctx').now().getTime();
  const value = [state, codeVerifier, nonce, startedAt].join('.');
  const options = { ...cookieOptions(c), maxAge: lifetimeSeconds };
  await setSignedCookie(c, nameOf(state), value, c.get('env').appSecret, options);
}

/**
 * Takes the attempt that Google's answer belongs to, once: its cookie is deleted.
 *
 * @param states the `state` parameters of the answer
 * @returns null unless this browser began the attempt within the last 10 minutes
 */
export async function takeGoogleAttempt(
  c: Context<HonoEnv>,
  states: string[],
): Promise<GoogleAttempt | null> {
  const [state, ...others] = states;
  if (!isToken(state) || others.length > 0) {
    return null;
  }
  const { appSecret, isHttps } = c.get('env');
  const value = await getSignedCookie(c, appSecret, nameOf(state), isHttps ? 'host' : undefined);
  if (value === undefined) {
    return null;
  }
  deleteCookie(c, nameOf(state), cookieOptions(c));
  // False if the signature is invalid.
  const [cookieState, codeVerifier = '', nonce = '', startedAt] = value ? value.split('.') : [];
  const age = c.get('ctx').now().getTime() - Number(startedAt);
  // A time in the future means that a clock was or is wrong.
  const isFresh = age >= -clockToleranceMs && age <= lifetimeSeconds * 1000;
  return cookieState === state && isFresh ? { state, codeVerifier, nonce } : null;
}

/** The browser's attempts, by cookie name without the `__Host-` prefix. */
function attemptCookies(c: Context<HonoEnv>): { name: string; startedAt: number }[] {
  const prefix = c.get('env').isHttps ? '__Host-' : '';
  return Object.entries(getCookie(c))
    .filter(([name]) => name.startsWith(prefix) && namePattern.test(name.slice(prefix.length)))
    .map(([name, value]) => ({
      name: name.slice(prefix.length),
      startedAt: Number(value.split('.')[3]) || 0,
    }));
}

function nameOf(state: string): string {
  return namePrefix + state.slice(0, 16);
}
