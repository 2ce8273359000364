import 'server-only';
import type { Context } from 'hono';
import { deleteCookie, getCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import type { GoogleAttempt } from '#features/auth/google.ts';
import { clockToleranceMs } from '#lib/clock.ts';
import { isToken } from '#lib/tokens.ts';
import { cookieOptions } from './cookies.ts';
import type { HonoEnv } from './request-context.ts';

/** Every attempt has a cookie of its own, so that two tabs do not get into each other's way. */
const namePrefix = 'google_';
/** Browsers may hold others, with names that no cookie can be set by: Hono would throw. */
const namePattern = /^google_[0-9a-f]{16}$/;
const lifetimeSeconds = 10 * 60;
/** Of more than these the oldest are forgotten: cookies travel with every request. */
const maxAttempts = 5;

/** Gives an attempt to the browser that began it, to bring back with Google's answer. Signed, so that it is one of ours. */
export async function keepAttempt(
  c: Context<HonoEnv>,
  { state, codeVerifier, nonce }: GoogleAttempt,
): Promise<void> {
  const kept = attemptCookies(c).sort((one, other) => one.startedAt - other.startedAt);
  for (const { name } of kept.slice(0, Math.max(0, kept.length - maxAttempts + 1))) {
    deleteCookie(c, name, cookieOptions(c));
  }
  const startedAt = c.get('ctx').now().getTime();
  const value = [state, codeVerifier, nonce, startedAt].join('.');
  const options = { ...cookieOptions(c), maxAge: lifetimeSeconds };
  await setSignedCookie(c, nameOf(state), value, c.get('env').appSecret, options);
}

/**
 * Takes the attempt back that an answer of Google's belongs to, once: the cookie is gone afterwards, whatever becomes of it.
 *
 * @param states what the answer carried
 * @returns null unless this very browser began the attempt, within the last 10 minutes
 */
export async function takeAttempt(
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
  // False when the signature is not ours.
  const [kept, codeVerifier = '', nonce = '', startedAt] = value ? value.split('.') : [];
  const age = c.get('ctx').now().getTime() - Number(startedAt);
  // Begun later than now: the clock was wrong, then or now.
  const isFresh = age >= -clockToleranceMs && age <= lifetimeSeconds * 1000;
  return kept === state && isFresh ? { state, codeVerifier, nonce } : null;
}

/** The attempts that the browser holds, by the names of their cookies without the prefix of https. */
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
