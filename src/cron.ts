import 'server-only';
import { defaultLocale } from '#db/values.ts';
import { removeExpired } from '#features/clean-up/remove-expired.ts';
import { emptyTrash } from '#features/cohorts/empty-trash.ts';
import { renewInstants } from '#features/cohorts/renew-instants.ts';
import { logFailure } from '#observability/log.ts';
import { type Context, createBasics, createContext } from './context.ts';
import { type Bindings, readEnv } from './env.ts';
import { crons } from './settings.ts';

/** A scheduled job. Jobs with the same cron run concurrently and share Cloudflare's 15 minutes. */
export type Job = {
  name: string;
  cron: (typeof crons)[keyof typeof crons];
  run: (ctx: Context) => Promise<unknown>;
};

export const jobs: readonly Job[] = [
  { name: 'clean-up', cron: crons.hourly, run: removeExpired },
  { name: 'renewal of instants', cron: crons.nightly, run: renewInstants },
  { name: 'emptying of the trash', cron: crons.nightly, run: emptyTrash },
];

/** The handler that Cloudflare calls for each of the crons in wrangler.toml. */
export function scheduled(
  event: ScheduledController,
  bindings: Bindings,
  execution: ExecutionContext,
): Promise<void> {
  return runJobs(jobs, event, bindings, execution);
}

/**
 * Runs the jobs of one cron. A failed job is logged and reported, and does not stop the others.
 *
 * @throws Error after all jobs have ended, so that Cloudflare marks the run as failed
 */
export async function runJobs(
  candidates: readonly Job[],
  { cron }: ScheduledController,
  bindings: Bindings,
  execution: ExecutionContext,
): Promise<void> {
  const requestId = crypto.randomUUID();
  const due = candidates.filter((job) => job.cron === cron);
  if (due.length === 0) {
    const error = new Error(`No job has the cron "${cron}"`);
    logFailure(requestId, error);
    throw error;
  }
  const outcomes = await Promise.all(
    due.map(async (job) => ({
      name: job.name,
      isDone: await isRunThrough(job, bindings, execution, requestId),
    })),
  );
  const failed = outcomes.filter(({ isDone }) => !isDone).map(({ name }) => name);
  if (failed.length > 0) {
    // Without the causes, whose messages could repeat bound values.
    throw new Error(`The ${failed.join(', ')} failed; the log has more under ${requestId}`);
  }
}

/** Each job has its own context, so that a database timeout in one does not fail the others. */
async function isRunThrough(
  { name, run }: Job,
  bindings: Bindings,
  execution: ExecutionContext,
  requestId: string,
): Promise<boolean> {
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
    fail = basics.observe.fail;
    await run(
      createContext(env, basics, {
        locale: defaultLocale,
        session: env.db.withSession('first-primary'),
        userAgent: '',
      }),
    );
    return true;
  } catch (cause) {
    fail(new Error(`The job ${name} failed`, { cause }));
    return false;
  }
}
