import 'server-only';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import { addressedLanguage } from './language.ts';
import { kindOf } from './path-kinds.ts';
import type { HonoEnv } from './request-context.ts';

/**
 * What is answered: pages; pages of the development server, which needs inline styles, its web
 * socket and React's eval; or the data of /api, which loads nothing.
 */
export type ResponseKind = 'pages' | 'hot pages' | 'data';

/** Where the videos of lessons play, once a reader has asked for one. */
const videoOrigins = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.loom.com',
];

/** What no answer may do. */
const nothing = { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };

/**
 * Sets the headers of every response of the worker, errors included. Each page has a new nonce,
 * which csp-nonce.ts passes to Waku. Static files have theirs in public/_headers.
 */
export function responseHeaders(kind: ResponseKind) {
  const policy = kind === 'data' ? nothing : pagePolicy(kind === 'hot pages');
  const [secure, secureWithVideos] = [policy, { ...policy, frameSrc: videoOrigins }].map(
    (contentSecurityPolicy) =>
      secureHeaders({
        contentSecurityPolicy,
        permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
        referrerPolicy: false,
        strictTransportSecurity: 'max-age=31536000; includeSubDomains',
        xFrameOptions: 'DENY',
      }),
  ) as [MiddlewareHandler, MiddlewareHandler];
  return createMiddleware<HonoEnv>(async function responseHeaders(c, next) {
    const { kind, hasSession, remembersLearners, referrer, framesVideos } = kindOf(c.req.path);
    await (framesVideos ? secureWithVideos : secure)(c, next);
    const { headers } = c.res;
    if (kind === 'file') {
      // Nothing in a file can load or run anything. The sandbox would keep Chrome from showing PDFs.
      const isPdf = headers.get('Content-Type') === 'application/pdf';
      headers.set('Content-Security-Policy', `default-src 'none'${isPdf ? '' : '; sandbox'}`);
    }
    if (headers.get('Content-Type') === 'application/json') {
      headers.set('Content-Type', 'application/json; charset=utf-8');
    }
    if (c.req.path.startsWith('/RSC/') && !headers.has('Content-Type')) {
      headers.set('Content-Type', 'text/x-component; charset=utf-8');
    }
    headers.set('X-Request-Id', c.get('requestId'));
    const isGood = c.res.ok || c.res.status === 304;
    // A route's own `Cache-Control` applies only without a session, errors or cookies. Other pages
    // than those of cohort-pages.ts depend on cookies, and files have no route.
    const dependsOnCookies = hasSession || remembersLearners;
    if (!isGood || dependsOnCookies || !headers.has('Cache-Control') || headers.has('Set-Cookie')) {
      headers.set('Cache-Control', 'no-store');
    }
    const isPlain = kind === 'calendar' || kind === 'file';
    if (!isPlain && (dependsOnCookies || addressedLanguage(c.req.url) === undefined)) {
      headers.append('Vary', 'Cookie, Accept-Language');
    }
    // A redirect from another spelling of a path may lead to one with a key in it.
    headers.set('Referrer-Policy', c.res.status === 301 ? 'no-referrer' : referrer);
  });
}

function pagePolicy(hotReload: boolean) {
  return {
    ...nothing,
    scriptSrc: hotReload ? ["'self'", NONCE, "'unsafe-eval'"] : ["'self'", NONCE],
    styleSrc: ["'self'", hotReload ? "'unsafe-inline'" : NONCE],
    // Google profile pictures; see features/identity/google.ts.
    imgSrc: ["'self'", 'data:', 'https://*.googleusercontent.com'],
    mediaSrc: ["'self'"],
    fontSrc: ["'self'"],
    connectSrc: hotReload ? ["'self'", 'ws:'] : ["'self'"],
    formAction: ["'self'"],
    objectSrc: ["'none'"],
  };
}
