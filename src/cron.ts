import 'server-only';
import { defaultLocale } from '#db/values.ts';
import { removeExpired } from '#features/clean-up/remove-expired.ts';
import { emptyTrash } from '#features/cohorts/empty-trash.ts';
import { renewInstants } from '#features/cohorts/renew-instants.ts';
import { removeCancelled } from '#features/meetings/remove-cancelled.ts';
import { renewMeetings } from '#features/meetings/renew-meetings.ts';
import { makeNews } from '#features/news/make-news.ts';
import { cleanOutbox } from '#features/outbox/clean-outbox.ts';
import { drainOutbox } from '#features/outbox/drain-outbox.ts';
import { removeUnlinked } from '#features/people/remove-unlinked.ts';
import { endWaitlists, sweep } from '#features/people/sweep.ts';
import { tellInterested } from '#features/people/tell-interested.ts';
import { makeReminders } from '#features/reminders/make-reminders.ts';
import { i18nFor } from '#i18n/server.ts';
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
  { name: 'offering of places', cron: crons.often, run: sweepAndSend },
  { name: 'clean-up of emails', cron: crons.hourly, run: cleanOutbox },
  { name: 'clean-up', cron: crons.hourly, run: removeExpired },
  { name: 'ending of waitlists', cron: crons.nightly, run: endWaitlists },
  { name: 'removal of people', cron: crons.nightly, run: removeUnlinked },
  { name: 'renewal of instants', cron: crons.nightly, run: renewInstants },
  { name: 'renewal of sessions', cron: crons.nightly, run: renewMeetings },
  { name: 'removal of canceled sessions', cron: crons.nightly, run: removeCancelled },
  { name: 'emptying of the trash', cron: crons.nightly, run: emptyTrash },
];

/** One after the other, so that an offer is emailed at once; what is due goes out anyway. */
async function sweepAndSend(ctx: Context): Promise<void> {
  const [swept] = await Promise.allSettled([sweep(ctx)]);
  // After it, because it may have taken the free places.
  const [told] = await Promise.allSettled([tellInterested(ctx)]);
  const [made] = await Promise.allSettled([makeNews(ctx)]);
  const [reminded] = await Promise.allSettled([makeReminders(ctx)]);
  await drainOutbox(ctx, null);
  const failed = [swept, told, made, reminded].find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw failed.reason;
  }
}

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
        i18n: i18nFor(defaultLocale),
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
