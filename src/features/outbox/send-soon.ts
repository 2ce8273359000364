import 'server-only';
import type { Context } from '#context.ts';

/**
 * Sends emails that a request has put into the outbox, after its answer. What they say is composed
 * by features above, which `ctx` knows.
 */
export function sendSoon(ctx: Context, mailIds: readonly string[]): void {
  ctx.waitUntil(ctx.drainOutbox(ctx, mailIds));
}
