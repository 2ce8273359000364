import 'server-only';
import type { Context } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { returnCookie, returnPathOf } from '#lib/return-path.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { paths } from '#paths.ts';

/**
 * The page to continue to after a sign-in: the one that asked for it, or home. The cookie is used
 * up. Scripts write it, on /login, so it is checked here.
 */
export function takeReturnPath(c: Context<HonoEnv>): string {
  const path = getCookie(c, returnCookie) ?? null;
  if (path !== null) {
    deleteCookie(c, returnCookie);
  }
  return returnPathOf(path, c.get('env').appOrigin) ?? paths.home;
}
