import 'server-only';
import type { Context } from '#context.ts';

/**
 * Sends emails that a request has put into the outbox, after its answer. What they say is composed
 * by features above, which `ctx` knows.
 *
 * @param mails their ids, or rows that have them
 */
export function sendSoon(ctx: Context, mails: readonly (string | { id: string })[]): void {
  const ids = mails.map((mail) => (typeof mail === 'string' ? mail : mail.id));
  ctx.waitUntil(ctx.drainOutbox(ctx, ids));
}
