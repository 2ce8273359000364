import 'server-only';
import type { Context, Next } from 'hono';
import { addressedLanguage } from './language.ts';
import type { HonoEnv } from './request-context.ts';
import { currentRequest } from './request-storage.ts';

/** Ten seconds old at most, or a minute while a newer one is on its way. */
const cacheControl = 'public, s-maxage=10, stale-while-revalidate=50';

/**
 * Lets caches keep the public pages of cohorts, which are the same for everyone: they have no
 * session, cookie or theme, and their language is in their address. Without it, nothing is kept,
 * nor is a page that was not found: as a payload, that is a success too.
 */
export async function cohortPages(c: Context<HonoEnv>, next: Next) {
  await next();
  // Pages are buffered, so this one has been rendered.
  const { isCacheable = false } = currentRequest();
  if (isCacheable && c.res.ok && addressedLanguage(c.req.url) !== undefined) {
    c.res.headers.set('Cache-Control', cacheControl);
  }
}
