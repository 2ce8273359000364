import 'server-only';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import { isPublic } from './public-paths.ts';
import type { HonoEnv } from './request-context.ts';

type ResponseHeadersOptions = {
  /** Lets the development server work: its inline styles and web socket, and the eval of React's development build. */
  hotReload: boolean;
};

/**
 * The headers that every response of the worker carries, whatever became of the request. The nonce of the policy is new for
 * each response; Waku is told of it in pages/_interceptors/csp-nonce.ts. Files served without the worker have theirs in
 * public/_headers.
 */
export function responseHeaders({ hotReload }: ResponseHeadersOptions) {
  const secure = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: hotReload ? ["'self'", NONCE, "'unsafe-eval'"] : ["'self'", NONCE],
      styleSrc: ["'self'", hotReload ? "'unsafe-inline'" : NONCE],
      // Pictures of people who sign in with Google; see features/auth/google.ts.
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
    headers.append('Vary', 'Cookie, Accept-Language');
    if (isLinkPage(c.req.path)) {
      // Its address holds a token, in every spelling of it. Not `no-referrer`: that would turn the Origin of its POST into `null`.
      headers.set('Referrer-Policy', 'strict-origin');
    }
  });
}

/**
 * Whether a cache may keep an answer as its route says with `Cache-Control`: only where no session is
 * read, nothing has failed and no cookie goes along. Today no route says so: pages have a nonce of
 * their own and follow cookies for theme and language. Files are served without the worker.
 */
function mayBeShared({ req, res }: Context<HonoEnv>): boolean {
  const { headers } = res;
  return isPublic(req.path) && res.ok && headers.has('Cache-Control') && !headers.has('Set-Cookie');
}

/** The pages of paths.ts that mails link to, and their payloads. */
export function isLinkPage(path: string): boolean {
  return /^\/(RSC\/R\/)?(confirm|undo-address-change)\b/.test(path);
}
