import 'server-only';
import type { Context, Next } from 'hono';
import { AppError } from '#lib/app-error.ts';
import { refuse } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/** The longest period of Cloudflare's limiters. */
export const retryAfterSeconds = 60;

/**
 * Refuses floods before they reach the database, by client network and, with IPv6, by the wider
 * one. Cloudflare's limiter counts approximately; features/limits has the exact limits.
 *
 * @throws AppError `rate_limited`, under /api; pages get a plain-text refusal
 */
export async function floodLimit(c: Context<HonoEnv>, next: Next) {
  if (!((await isLetThrough(c, 'floodLimit')) && (await isLetThrough(c, 'floodLimitNetwork')))) {
    return refuse(c, new AppError('rate_limited', { retryAfterSeconds }));
  }
  return next();
}

/** Asks one of Cloudflare's limiters. If the limiter fails, the request is let through. */
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
