import 'server-only';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#lib/app-error.ts';
import { refuse } from './plain-answer.ts';
import type { HonoEnv } from './request-context.ts';

/**
 * Refuses other hosts than the configured one, whose cookies would be separate. The scheme is left
 * to the zone, which may terminate TLS before the worker.
 */
export function canonicalHost() {
  return createMiddleware<HonoEnv>(async function canonicalHost(c, next) {
    const { appOrigin, appHost } = c.get('env');
    if (new URL(c.req.url).host !== appHost) {
      const message = `This isn’t the address of this app. Please open ${appOrigin} instead.`;
      return refuse(c, new AppError('misdirected'), message);
    }
    return next();
  });
}
