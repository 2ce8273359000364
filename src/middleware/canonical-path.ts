import 'server-only';
import { createMiddleware } from 'hono/factory';
import type { HonoEnv } from './request-context.ts';

/**
 * Redirects every other spelling that Waku reads as the same page, such as `/p/{link}/`, so that
 * what later middleware says about a path holds for the page that is shown.
 */
export function canonicalPath() {
  return createMiddleware<HonoEnv>(async function canonicalPath(c, next) {
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
  });
}
