import 'server-only';
import { createContext } from '#context.ts';
import { defaultLocale } from '#db/values.ts';
import { type Bindings, readEnv } from '#env.ts';
import { removeExpired } from '#features/clean-up/remove-expired.ts';
import { logFailure } from '#lib/log.ts';

/** What Cloudflare calls by the clock (`crons` in wrangler.toml). A failure is logged here and marks the run as failed. */
export async function scheduled(_event: ScheduledController, bindings: Bindings): Promise<void> {
  const requestId = crypto.randomUUID();
  try {
    const env = readEnv(bindings);
    const ctx = createContext(env, {
      browser: null,
      locale: defaultLocale,
      place: 'cron',
      requestId,
      session: env.db.withSession('first-primary'),
    });
    await removeExpired(ctx);
  } catch (error) {
    logFailure(requestId, error);
    // Without the cause, whose words could repeat bound values.
    throw new Error(`The clean-up failed; the log has more under ${requestId}`);
  }
}
