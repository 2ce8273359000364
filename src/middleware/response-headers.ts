import 'server-only';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import { addressedLanguage } from './language.ts';
import { isCalendar, isPersonPage, isPublic } from './public-paths.ts';
import type { HonoEnv } from './request-context.ts';

/**
 * What is answered: pages; pages of the development server, which needs inline styles, its web
 * socket and React's eval; or the data of /api, which loads nothing.
 */
export type Answers = 'pages' | 'hot pages' | 'data';

/** What no answer may do. */
const nothing = { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };

/**
 * Sets the headers of every response of the worker, errors included. Each page has a new nonce,
 * which csp-nonce.ts passes to Waku. Static files have theirs in public/_headers.
 */
export function responseHeaders(answers: Answers) {
  const secure = secureHeaders({
    contentSecurityPolicy: answers === 'data' ? nothing : pagePolicy(answers === 'hot pages'),
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
    referrerPolicy: 'strict-origin-when-cross-origin',
    strictTransportSecurity: 'max-age=31536000; includeSubDomains',
    xFrameOptions: 'DENY',
  });
  return createMiddleware<HonoEnv>(async function responseHeaders(c, next) {
    await secure(c, next);
    const { headers } = c.res;
    if (headers.get('Content-Type') === 'application/json') {
      headers.set('Content-Type', 'application/json; charset=utf-8');
    }
    if (c.req.path.startsWith('/RSC/') && !headers.has('Content-Type')) {
      headers.set('Content-Type', 'text/x-component; charset=utf-8');
    }
    headers.set('X-Request-Id', c.get('requestId'));
    if (!mayBeShared(c)) {
      headers.set('Cache-Control', 'no-store');
    }
    if (!isSameForAll(c)) {
      headers.append('Vary', 'Cookie, Accept-Language');
    }
    if (isLinkPage(c.req.path)) {
      // Its URL contains a token. With `no-referrer`, the Origin of its POST would be `null`.
      headers.set('Referrer-Policy', 'strict-origin');
    }
    if (isPersonPage(c.req.path) || c.res.status === 301) {
      // So does this one, for longer. Its scripts send requests whose Origin no policy changes.
      // A redirect to it, from another spelling of its path, is treated alike.
      headers.set('Referrer-Policy', 'no-referrer');
    }
  });
}

function pagePolicy(hotReload: boolean) {
  return {
    ...nothing,
    scriptSrc: hotReload ? ["'self'", NONCE, "'unsafe-eval'"] : ["'self'", NONCE],
    styleSrc: ["'self'", hotReload ? "'unsafe-inline'" : NONCE],
    // Google profile pictures; see features/identity/google.ts.
    imgSrc: ["'self'", 'data:', 'https://*.googleusercontent.com'],
    fontSrc: ["'self'"],
    connectSrc: hotReload ? ["'self'", 'ws:'] : ["'self'"],
    formAction: ["'self'"],
    objectSrc: ["'none'"],
  };
}

/**
 * Whether the route's `Cache-Control` applies: only without a session, errors or cookies. Other
 * pages than those of cohort-pages.ts depend on cookies, and files have no route.
 */
function mayBeShared({ req, res }: Context<HonoEnv>): boolean {
  const { headers } = res;
  const isGood = res.ok || res.status === 304;
  return isGood && isPublic(req.path) && headers.has('Cache-Control') && !headers.has('Set-Cookie');
}

/** Whether an answer depends on nothing but its address. */
function isSameForAll({ req }: Context): boolean {
  return isCalendar(req.path) || (isPublic(req.path) && addressedLanguage(req.url) !== undefined);
}

/** The pages of paths.ts that emails link to, and their payloads. */
export function isLinkPage(path: string): boolean {
  return /^\/(RSC\/R\/)?(confirm|undo-address-change)\b/.test(path);
}
