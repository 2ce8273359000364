import 'server-only';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import { addressedLanguage } from './language.ts';
import { isPublic } from './public-paths.ts';
import type { HonoEnv } from './request-context.ts';

type ResponseHeadersOptions = {
  /** Allows what the development server needs: inline styles, its web socket and React's eval. */
  hotReload: boolean;
};

/**
 * Sets the headers of every response of the worker, errors included. Each has a new nonce, which
 * csp-nonce.ts passes to Waku. Static files have theirs in public/_headers.
 */
export function responseHeaders({ hotReload }: ResponseHeadersOptions) {
  const secure = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: hotReload ? ["'self'", NONCE, "'unsafe-eval'"] : ["'self'", NONCE],
      styleSrc: ["'self'", hotReload ? "'unsafe-inline'" : NONCE],
      // Google profile pictures; see features/auth/google.ts.
      imgSrc: ["'self'", 'data:', 'https://*.googleusercontent.com'],
      fontSrc: ["'self'"],
      connectSrc: hotReload ? ["'self'", 'ws:'] : ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
    },
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
    if (!isPublic(c.req.path) || addressedLanguage(c.req.url) === undefined) {
      headers.append('Vary', 'Cookie, Accept-Language');
    }
    if (isLinkPage(c.req.path)) {
      // Its URL contains a token. With `no-referrer`, the Origin of its POST would be `null`.
      headers.set('Referrer-Policy', 'strict-origin');
    }
  });
}

/**
 * Whether the route's `Cache-Control` applies: only without a session, errors or cookies. Other
 * pages than those of cohort-pages.ts depend on cookies, and files have no route.
 */
function mayBeShared({ req, res }: Context<HonoEnv>): boolean {
  const { headers } = res;
  return isPublic(req.path) && res.ok && headers.has('Cache-Control') && !headers.has('Set-Cookie');
}

/** The pages of paths.ts that emails link to, and their payloads. */
export function isLinkPage(path: string): boolean {
  return /^\/(RSC\/R\/)?(confirm|undo-address-change)\b/.test(path);
}
