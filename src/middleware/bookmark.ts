import 'server-only';
import type { Context, Next } from 'hono';
import { setCookie } from 'hono/cookie';
import { openSealedText, sealText } from '#lib/sealed-text.ts';
import { cookieOptions, readCookie } from './cookies.ts';
import { kindOf } from './path-kinds.ts';
import type { HonoEnv } from './request-context.ts';

const name = 'bookmark';

/** Replicas lag by seconds. A bookmark from before a restore of the database would be invalid. */
const lifetimeSeconds = 10 * 60;

/**
 * Which copy of the database a request may read. Writes and sign-ins use the primary. Others use
 * any replica that has caught up with the browser's bookmark, so that users see their own writes.
 *
 * @see https://developers.cloudflare.com/d1/best-practices/read-replication/
 */
export async function readsFrom(c: Context<HonoEnv>) {
  const { readsPrimary, hasSession } = kindOf(c.req.path);
  if (readsPrimary || !isRead(c)) {
    return 'first-primary';
  }
  if (!hasSession) {
    return 'first-unconstrained';
  }
  const cookie = readCookie(c, name);
  const bookmark = cookie && (await openSealedText(cookie, c.get('env').appSecret));
  return bookmark || 'first-unconstrained';
}

/**
 * Sets a cookie with the bookmark of the request's writes, for later requests. Encrypted, because
 * bookmarks count all writes and so could reveal what a response hides.
 */
export async function bookmarkCookie(c: Context<HonoEnv>, next: Next) {
  const tokenBefore = c.get('sessionToken');
  await next();
  const hasWritten = !isRead(c) || c.get('sessionToken') !== tokenBefore;
  const bookmark = c.get('databaseSession').getBookmark();
  if (hasWritten && bookmark !== null) {
    const sealed = await sealText(bookmark, c.get('env').appSecret);
    setCookie(c, name, sealed, { ...cookieOptions(c), maxAge: lifetimeSeconds });
  }
}

function isRead({ req }: Context): boolean {
  return req.method === 'GET' || req.method === 'HEAD';
}
