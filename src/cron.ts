import 'server-only';
import { defaultLocale } from '#db/values.ts';
import { removeExpired } from '#features/clean-up/remove-expired.ts';
import { logFailure } from '#observability/log.ts';
import { createBasics, createContext } from './context.ts';
import { type Bindings, readEnv } from './env.ts';

/**
 * What Cloudflare calls by the clock (`crons` in wrangler.toml). A failure is logged and reported here, and marks the run as
 * failed.
 */
export async function scheduled(
  _event: ScheduledController,
  bindings: Bindings,
  execution: ExecutionContext,
): Promise<void> {
  const requestId = crypto.randomUUID();
  let fail = (error: unknown) => logFailure(requestId, error);
  try {
    const env = readEnv(bindings);
    const basics = createBasics(env, {
      clientNetwork: 'cron',
      widerNetwork: null,
      requestId,
      request: null,
      waitUntil: (work) => execution.waitUntil(work),
    });
    const ctx = createContext(env, basics, {
      locale: defaultLocale,
      session: env.db.withSession('first-primary'),
      userAgent: '',
    });
    fail = ctx.observe.fail;
    await removeExpired(ctx);
  } catch (error) {
    fail(error);
    // Without the cause, whose words could repeat bound values.
    throw new Error(`The clean-up failed; the log has more under ${requestId}`);
  }
}
