import 'server-only';
import type { RequestCount } from '#db/client.ts';
import { defaultLocale } from '#db/values.ts';
import { settlePayments } from '#features/checkouts/settle-payments.ts';
import { removeExpired } from '#features/clean-up/remove-expired.ts';
import { renewInstants } from '#features/cohorts/renew-instants.ts';
import { tellInterested } from '#features/enrolling/tell-interested.ts';
import { removeFiles } from '#features/files/remove-files.ts';
import { settleStandings } from '#features/learning/settle-standings.ts';
import { emptyLessonTrash } from '#features/lessons/empty-trash.ts';
import { renewOpenings } from '#features/lessons/move-openings.ts';
import { cleanOutbox } from '#features/letters/clean-outbox.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { makeNews } from '#features/letters/make-news.ts';
import { makeNudges } from '#features/letters/make-nudges.ts';
import { makeReleases } from '#features/letters/make-releases.ts';
import { makeReminders } from '#features/letters/make-reminders.ts';
import { removeCancelled, renewMeetings } from '#features/meetings/meeting-jobs.ts';
import { endWaitlists, sweep } from '#features/places/sweep.ts';
import { emptyTrash } from '#features/planning/change-state.ts';
import { removeUnlinked } from '#features/rights/remove-unlinked.ts';
import { i18nFor } from '#i18n/server.ts';
import { logFailure } from '#observability/log.ts';
import { type Context, createBasics, createContext } from './context.ts';
import { type Bindings, readEnv } from './env.ts';
import { crons } from './settings.ts';

/** A scheduled job. Those with the same cron share Cloudflare's 15 minutes. */
export type Job = {
  name: string;
  cron: (typeof crons)[keyof typeof crons];
  run: (ctx: Context) => Promise<unknown>;
};

export const jobs: readonly Job[] = [
  { name: 'offering of places', cron: crons.often, run: sweep },
  // After the offers, which may take the free places.
  { name: 'notices of open enrollment', cron: crons.often, run: tellInterested },
  { name: 'daily news', cron: crons.often, run: makeNews },
  { name: 'reminders', cron: crons.often, run: makeReminders },
  { name: 'standings of learners', cron: crons.often, run: settleStandings },
  { name: 'notices of new lessons', cron: crons.often, run: makeReleases },
  // After those, which put them off.
  { name: 'reminders of lessons', cron: crons.often, run: makeNudges },
  // Last, so that what the others have written goes out at once.
  { name: 'sending of emails', cron: crons.often, run: (ctx) => drainOutbox(ctx, null) },
  { name: 'payments online', cron: crons.money, run: settlePayments },
  { name: 'clean-up of emails', cron: crons.hourly, run: cleanOutbox },
  { name: 'clean-up of files', cron: crons.hourly, run: removeFiles },
  { name: 'clean-up', cron: crons.hourly, run: removeExpired },
  { name: 'ending of waitlists', cron: crons.nightly, run: endWaitlists },
  { name: 'removal of people', cron: crons.nightly, run: removeUnlinked },
  { name: 'renewal of instants', cron: crons.nightly, run: renewInstants },
  { name: 'renewal of sessions', cron: crons.nightly, run: renewMeetings },
  { name: 'renewal of sections of courses', cron: crons.nightly, run: renewOpenings },
  { name: 'removal of canceled sessions', cron: crons.nightly, run: removeCancelled },
  { name: 'emptying of the trash', cron: crons.nightly, run: emptyTrash },
  { name: 'emptying of the trash of lessons', cron: crons.nightly, run: emptyLessonTrash },
];

/** The jobs of this cron run one after the other, in the order above; those of others at once. */
const inTurn: Job['cron'] = crons.often;

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
  const requests = { made: 0 };
  const run = (job: Job) => isRunThrough(job, bindings, execution, { requestId, requests });
  // `fromAsync` awaits each before it starts the next.
  const outcomes = await (cron === inTurn ? Array.fromAsync(due, run) : Promise.all(due.map(run)));
  const failed = due.filter((_job, index) => !outcomes[index]).map(({ name }) => name);
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
  { requestId, requests }: { requestId: string; requests: RequestCount },
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
      requests,
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
