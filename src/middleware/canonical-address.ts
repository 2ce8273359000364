import 'server-only';
import type { Context, Next } from 'hono';
import { AppError } from '#lib/app-error.ts';
import { refuse } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/**
 * Refuses other hosts than the configured one, whose cookies would be separate. The scheme is left
 * to the zone, which may terminate TLS before the worker.
 */
export async function canonicalHost(c: Context<HonoEnv>, next: Next) {
  const { appOrigin, appHost } = c.get('env');
  if (new URL(c.req.url).host !== appHost) {
    const message = `This isn’t the address of this app. Please open ${appOrigin} instead.`;
    return refuse(c, new AppError('misdirected'), message);
  }
  return next();
}

/**
 * Redirects every other spelling that Waku reads as the same page, such as `/p/{link}/`, so that
 * what later middleware says about a path holds for the page that is shown.
 */
export async function canonicalPath(c: Context<HonoEnv>, next: Next) {
  const { pathname, search } = new URL(c.req.url);
  // Waku skips empty parts and a last `index.html`.
  const parts = pathname.split('/').filter((part) => part !== '');
  while (parts.at(-1) === 'index.html') {
    parts.pop();
  }
  const path = `/${parts.join('/')}`;
  // As it was sent: `new URL` has resolved dots and backslashes, as it does for Waku.
  const [, rawPath] = /^[^/]*\/\/[^/?#]*([^?#]*)/.exec(c.req.url) ?? [];
  return rawPath === path ? next() : c.redirect(`${path}${search}`, 301);
}
