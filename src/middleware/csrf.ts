import 'server-only';
import type { Context, Next } from 'hono';
import { setCookie } from 'hono/cookie';
import { AppError } from '#lib/app-error.ts';
import { createToken, isSameSecret, sign } from '#lib/tokens.ts';
import { cookieOptions, readCookie } from './cookies.ts';
import { kindOf } from './path-kinds.ts';
import type { HonoEnv } from './request-context.ts';

const cookieName = 'csrftoken';
const headerName = 'X-CSRFToken';
/** Any lifetime works, because the next response replaces a missing token. */
const cookieMaxAgeSeconds = 365 * 24 * 60 * 60;

/**
 * Sets a CSRF token that scripts can read whenever the browser has none for its session: with the
 * first page or API read, with sign-in and log-out, and with the refusal of a bad token, so that it
 * can retry. API reads that succeed don't check a token that is there, which the next write does.
 *
 * A token is `random.HMAC(session, random)`, so that a sibling domain can't plant a valid one.
 */
export async function csrfCookie(c: Context<HonoEnv>, next: Next) {
  await next();
  const token = readCookie(c, cookieName);
  if (token !== null && (isPlainRead(c) || (await isValid(c, token)))) {
    return;
  }
  const random = createToken();
  setCookie(c, cookieName, `${random}.${await mac(c, random)}`, {
    ...cookieOptions(c),
    httpOnly: false,
    maxAge: cookieMaxAgeSeconds,
  });
}

/**
 * Refuses writes that our own pages did not send: the origin must be ours, and a header must repeat
 * the token of the cookie. Anonymous requests need it too, because they can send emails. Error
 * reports need only the origin, because their SDK sends no token, and so do participants, who have
 * no session. Does not apply to what others call: they prove by themselves who may call.
 *
 * @throws AppError `csrf_failed`
 */
export async function csrfGuard(c: Context<HonoEnv>, next: Next) {
  const { csrf } = kindOf(c.req.path);
  const isOurs = async () => isOurOrigin(c) && (csrf === 'origin' || (await repeatsCookie(c)));
  if (!isSafe(c) && csrf !== 'exempt' && !(await isOurs())) {
    c.get('ctx').observe.log('csrf_refused');
    throw new AppError('csrf_failed');
  }
  await next();
}

function isSafe({ req }: Context): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(req.method);
}

/** Whether data was read. Redirects may have signed in, and refusals tell of an ended session. */
function isPlainRead(c: Context): boolean {
  return isSafe(c) && kindOf(c.req.path).kind === 'api' && c.res.ok;
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
