import 'server-only';
import { msg } from '@lingui/core/macro';
import type { Context } from 'hono';
import { deleteCookie, getCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { Hono } from 'hono/tiny';
import { parseAccept } from 'hono/utils/accept';
import { describe } from '#api/describe.ts';
import { isHead } from '#api/request.ts';
import { consume } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { clockToleranceMs, isToken } from '#lib/tokens.ts';
import { cookieOptions } from '#middleware/cookies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { type LoginErrorCode, paths, serverPaths } from '#paths.ts';
import { fetchIdentity, type GoogleAttempt, GoogleRefusal, startGoogle } from './google.ts';
import { GoogleStarted } from './schema.ts';
import { signInDeviceOf, takeReturnPath } from './session-cookie.ts';
import { signInWithGoogle } from './sign-in-with-google.ts';

/** /api/accounts/auth/google: the redirect to Google, and the callback. */
export const google = new Hono<HonoEnv>()
  .post(
    '/login/',
    describe({
      summary: msg`Starts a login with Google and returns where to send the browser`,
      answers: { 200: GoogleStarted },
    }),
    async (c) => {
      const ctx = c.get('ctx');
      await consume(ctx, [{ limit: 'google_starts_per_ip' }], 'allow');
      const { url, attempt } = startGoogle(
        ctx.config.google,
        ctx.config.appOrigin + serverPaths.googleCallback,
      );
      await keepGoogleAttempt(c, attempt);
      return c.json({ redirect_url: url.href } satisfies GoogleStarted);
    },
  )
  .get(
    '/callback/',
    describe({
      summary: msg`Where Google sends the browser back to: redirects to the home page, or to the login page with an error code; clients that ask for JSON get an error if the state is invalid`,
      answers: { 302: null },
      errors: ['invalid_state'],
      answerHeaders: { Location: msg`The page to continue to` },
      query: { state: 'text', code: 'text', error: 'text' },
    }),
    async (c) => {
      if (isHead(c)) {
        return c.redirect(paths.login);
      }
      const outcome = await finish(c);
      if ('error' in outcome) {
        if (outcome.error === 'invalid_state' && asksForJson(c)) {
          throw new AppError('invalid_state');
        }
        return c.redirect(serverPaths.loginError(outcome.error));
      }
      c.set('sessionToken', outcome.sessionToken);
      return c.redirect(takeReturnPath(c));
    },
  );

/** Longer than what browsers send. */
const acceptLength = 255;

/** Whether the client accepts JSON but not HTML. Browsers list HTML first. */
function asksForJson(c: Context<HonoEnv>): boolean {
  const accepted = parseAccept((c.req.header('Accept') ?? '').slice(0, acceptLength));
  const takes = (mediaType: string) =>
    accepted.some(({ type, q }) => type.toLowerCase() === mediaType && q > 0);
  return takes('application/json') && !takes('text/html');
}

type Outcome = { sessionToken: string } | { error: LoginErrorCode };

/** Never throws, because a user usually waits for a page. Google's texts are not passed on. */
async function finish(c: Context<HonoEnv>): Promise<Outcome> {
  const ctx = c.get('ctx');
  try {
    const attempt = await takeGoogleAttempt(c, c.req.queries('state') ?? []);
    if (attempt === null) {
      ctx.observe.log('google_refused', { reason: 'state' });
      return { error: 'invalid_state' };
    }
    await consume(ctx, [{ limit: 'google_callbacks_per_ip' }], 'allow');
    const [code, ...others] = c.req.queries('code') ?? [];
    if (!code || others.length > 0 || c.req.query('error') !== undefined) {
      ctx.observe.log('google_refused', { reason: 'no_code' });
      return { error: 'auth_failed' };
    }
    const redirectUri = ctx.config.appOrigin + serverPaths.googleCallback;
    const identity = await fetchIdentity(ctx.config.google, redirectUri, code, attempt, ctx.now());
    return await signInWithGoogle(ctx, identity, signInDeviceOf(c));
  } catch (error) {
    if (error instanceof GoogleRefusal) {
      // Not the cause's message, which may repeat what Google sent.
      const cause = error.cause instanceof Error ? error.cause.name : undefined;
      ctx.observe.log('google_refused', { reason: error.reason, cause });
      return { error: error.reason === 'email_not_verified' ? error.reason : 'auth_failed' };
    }
    if (!(error instanceof AppError && error.code === 'rate_limited')) {
      ctx.observe.fail(error);
    }
    return { error: 'auth_failed' };
  }
}

/** Each attempt has its own cookie, so that tabs do not interfere with each other. */
const namePrefix = 'google_';
/** Browsers may have others, with names that Hono refuses to set, by throwing. */
const namePattern = /^google_[0-9a-f]{16}$/;
const lifetimeSeconds = 10 * 60;
/** Beyond these, the oldest are deleted, because every request sends all cookies. */
const maxAttempts = 5;

/** Stores an attempt in a cookie until Google's answer. Signed, so that it can't be forged. */
async function keepGoogleAttempt(
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
async function takeGoogleAttempt(c: Context<HonoEnv>, states: string[]) {
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
