import 'server-only';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#lib/app-error.ts';
import { logFailure } from '#lib/log.ts';
import type { HonoEnv } from './request-context.ts';

/** The longest that Cloudflare's limiter looks back. */
const retryAfterSeconds = 60;

/**
 * Turns floods away before they cost the database anything. Cloudflare's limiter counts in each of its locations, and roughly:
 * what must be exact is counted by features/limits. Without an answer of the limiter the request goes on.
 *
 * @throws AppError `rate_limited`
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
      throw new AppError('rate_limited', { retryAfterSeconds });
    }
    await next();
  });
}
