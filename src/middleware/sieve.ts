import 'server-only';
import { createMiddleware } from 'hono/factory';
import { errorMessages } from '#i18n/errors.ts';
import { i18nFor } from '#i18n/server.ts';
import { AppError } from '#lib/app-error.ts';
import { logFailure } from '#lib/log.ts';
import type { HonoEnv } from './request-context.ts';

/** The longest that Cloudflare's limiter looks back. */
const retryAfterSeconds = 60;

/**
 * Turns floods away before they cost the database anything. Cloudflare's limiter counts in each of its locations, and roughly:
 * what must be exact is counted by features/limits. Without an answer of the limiter the request goes on.
 *
 * @throws AppError `rate_limited`, under /api; a page is refused in plain words
 */
export function sieve() {
  return createMiddleware<HonoEnv>(async function sieve(c, next) {
    const { place, log } = c.get('ctx');
    let success = true;
    try {
      ({ success } = await c.get('env').sieve.limit({ key: place }));
    } catch (error) {
      log('limiter_failed', { limit: 'sieve' });
      logFailure(c.get('requestId'), error);
    }
    if (!success) {
      log('rate_limited', { limit: 'sieve' });
      if (c.req.path.startsWith('/api/')) {
        throw new AppError('rate_limited', { retryAfterSeconds });
      }
      const message = i18nFor(c.get('language'))._(errorMessages.rate_limited);
      return c.text(`${message}\n`, 429, { 'Retry-After': String(retryAfterSeconds) });
    }
    return next();
  });
}
