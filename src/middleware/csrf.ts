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
/** Any length does: a lost token is replaced with the next answer. */
const cookieMaxAgeSeconds = 365 * 24 * 60 * 60;

/** Called by no page of ours, each with a proof of its own; nothing that a session may do is done there. */
export const csrfExemptPaths: readonly string[] = [webhookPaths.resend];

/**
 * Gives every browser a CSRF token that its own scripts can read, with any answer after which it holds none or one of another
 * session: with its first page, with sign-in and log-out, and with the refusal of a bad one, so that it can try again.
 *
 * A token is `random.HMAC(session, random)`: a cookie planted by a neighbouring sub-domain is none.
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
 * Lets a request that may change something through only when our own page sent it: it names our origin, and it repeats in
 * a header the token of the cookie. This holds for anonymous requests too, which could otherwise send mails. Not for
 * `csrfExemptPaths`; and error reports, which change nothing here, name our origin and have no token: their SDK knows none.
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
    // Only browsers send this header, and no page can forge it.
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
