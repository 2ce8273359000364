import 'server-only';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#lib/app-error.ts';
import { refuse } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/** The longest that Cloudflare's limiters look back. */
export const retryAfterSeconds = 60;

/**
 * Turns floods away before they cost the database anything, by place and, with IPv6, by the network
 * around it. Cloudflare's limiter counts in each of its locations, and roughly: what must be exact
 * is counted by features/limits.
 *
 * @throws AppError `rate_limited`, under /api; a page is refused in plain words
 */
export function floodLimit() {
  return createMiddleware<HonoEnv>(async function floodLimit(c, next) {
    if (!((await isLetThrough(c, 'floodLimit')) && (await isLetThrough(c, 'floodLimitNetwork')))) {
      return refuse(c, new AppError('rate_limited', { retryAfterSeconds }));
    }
    return next();
  });
}

/**
 * Asks one of Cloudflare's limiters for the place or the network of the request. Without an answer
 * of the limiter the request goes on.
 */
export async function isLetThrough(
  c: Context<HonoEnv>,
  limit: 'floodLimit' | 'floodLimitNetwork' | 'reports',
): Promise<boolean> {
  const { request, observe } = c.get('basics');
  const key = limit === 'floodLimitNetwork' ? request.widerNetwork : request.clientNetwork;
  if (key === null) {
    return true;
  }
  let success = true;
  try {
    ({ success } = await c.get('env')[limit].limit({ key }));
  } catch (error) {
    observe.log('limiter_failed', { limit });
    observe.fail(error);
  }
  if (!success) {
    observe.log('rate_limited', { limit });
  }
  return success;
}
