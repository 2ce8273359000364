import 'server-only';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { openSealedText, sealText } from '#lib/sealed-text.ts';
import { apiPaths } from '#paths.ts';
import { cookieOptions, readCookie } from './cookies.ts';
import { isPublic } from './public-paths.ts';
import type { HonoEnv } from './request-context.ts';
import { isLinkPage } from './response-headers.ts';

const name = 'bookmark';

/** Copies of the database are seconds behind. A bookmark that outlived a restore of it would ask for what is no more. */
const lifetimeSeconds = 10 * 60;

/**
 * Which copy of the database a request may read. What changes something and what signs in asks the primary, where all is as it
 * is now. Other requests ask whichever copy is near, as long as it holds what their browser has written: up to its bookmark.
 *
 * @see https://developers.cloudflare.com/d1/best-practices/read-replication/
 */
export async function readsFrom(
  c: Context<HonoEnv>,
): Promise<D1SessionConstraint | D1SessionBookmark> {
  const asksPrimary =
    isLinkPage(c.req.path) ||
    c.req.path === apiPaths.googleCallback ||
    // All of an account at once, for whoever has proven just now that it is theirs: not for a session that was ended meanwhile.
    c.req.path.endsWith('/export/') ||
    // Without the primary the app can do no more than half of its work.
    c.req.path === apiPaths.health;
  if (asksPrimary || !isRead(c)) {
    return 'first-primary';
  }
  if (isPublic(c.req.path)) {
    return 'first-unconstrained';
  }
  const cookie = readCookie(c, name);
  const bookmark = cookie && (await openSealedText(cookie, c.get('env').appSecret));
  return bookmark || 'first-unconstrained';
}

/**
 * Hands the bookmark of what a request has written to its browser, for the requests that follow. Sealed: bookmarks count all
 * writes, and so would tell what an answer keeps to itself.
 */
export function bookmarkCookie() {
  return createMiddleware<HonoEnv>(async function bookmarkCookie(c, next) {
    const tokenBefore = c.get('sessionToken');
    await next();
    const hasWritten = !isRead(c) || c.get('sessionToken') !== tokenBefore;
    const bookmark = c.get('databaseSession').getBookmark();
    if (hasWritten && bookmark !== null) {
      const sealed = await sealText(bookmark, c.get('env').appSecret);
      setCookie(c, name, sealed, { ...cookieOptions(c), maxAge: lifetimeSeconds });
    }
  });
}

function isRead({ req }: Context): boolean {
  return req.method === 'GET' || req.method === 'HEAD';
}
