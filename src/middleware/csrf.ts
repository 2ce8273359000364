import 'server-only';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#lib/app-error.ts';
import { createToken, isSameSecret, sign } from '#lib/tokens.ts';
import { apiPaths, webhookPaths } from '#paths.ts';
import { cookieOptions, readCookie } from './cookies.ts';
import type { HonoEnv } from './request-context.ts';

const cookieName = 'csrftoken';
const headerName = 'X-CSRFToken';
/** Any lifetime works, because the next response replaces a missing token. */
const cookieMaxAgeSeconds = 365 * 24 * 60 * 60;

/** Not called by our pages: they use no session, and authenticate their callers themselves. */
export const csrfExemptPaths: readonly string[] = Object.values(webhookPaths);

/**
 * Sets a CSRF token that scripts can read whenever the browser has none for its session: with the
 * first page, with sign-in and log-out, and with the refusal of a bad token, so that it can retry.
 *
 * A token is `random.HMAC(session, random)`, so that a sibling domain can't plant a valid one.
 */
export function csrfCookie() {
  return createMiddleware<HonoEnv>(async function csrfCookie(c, next) {
    await next();
    if (await isValid(c, readCookie(c, cookieName) ?? '')) {
      return;
    }
    const random = createToken();
    setCookie(c, cookieName, `${random}.${await mac(c, random)}`, {
      ...cookieOptions(c),
      httpOnly: false,
      maxAge: cookieMaxAgeSeconds,
    });
  });
}

/**
 * Refuses writes that our own pages did not send: the origin must be ours, and a header must repeat
 * the token of the cookie. Anonymous requests need it too, because they can send emails. Does not
 * apply to `csrfExemptPaths`; error reports need only the origin, because their SDK sends no token.
 *
 * @throws AppError `csrf_failed`
 */
export function csrfGuard() {
  return createMiddleware<HonoEnv>(async function csrfGuard(c, next) {
    const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method);
    const isExempt = csrfExemptPaths.includes(c.req.path);
    const isReport = c.req.path === apiPaths.errorReports;
    if (!isSafe && !isExempt && !(isOurOrigin(c) && (isReport || (await repeatsCookie(c))))) {
      c.get('ctx').observe.log('csrf_refused');
      throw new AppError('csrf_failed');
    }
    await next();
  });
}

function isOurOrigin(c: Context<HonoEnv>): boolean {
  const origin = c.req.header('Origin');
  if (origin === undefined || origin === 'null') {
    // Browsers set this header, and pages can't forge it.
    return c.req.header('Sec-Fetch-Site') === 'same-origin';
  }
  return origin === c.get('env').appOrigin;
}

async function repeatsCookie(c: Context<HonoEnv>): Promise<boolean> {
  const cookie = readCookie(c, cookieName) ?? '';
  const header = c.req.header(headerName) ?? '';
  return (await isSameSecret(header, cookie)) && (await isValid(c, cookie));
}

async function isValid(c: Context<HonoEnv>, token: string): Promise<boolean> {
  const [random = '', signature = ''] = token.split('.');
  return isSameSecret(signature, await mac(c, random));
}

function mac(c: Context<HonoEnv>, random: string): Promise<string> {
  return sign(`csrf:${c.get('sessionToken') ?? 'anonymous'}:${random}`, c.get('env').appSecret);
}
