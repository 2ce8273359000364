import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { type Context, createBasics, createContext } from '#context.ts';
import { type Job, jobs, runJobs } from '#cron.ts';
import { ask, type Query } from '#db/query.ts';
import { type Bindings, readEnv } from '#env.ts';
import { i18nFor } from '#i18n/server.ts';
import { crons } from '#settings.ts';
import { keepWork } from './background.ts';

const english = i18nFor('en');

/** The context of a request without special properties. */
export function contextOn(
  bindings: Partial<Bindings> = {},
  waitUntil: (work: Promise<unknown>) => void = keepWork,
): Context {
  const appEnv = readEnv({ ...env, ...bindings });
  const basics = createBasics(appEnv, {
    clientNetwork: 'here',
    widerNetwork: null,
    requestId: 'a-request',
    request: null,
    waitUntil,
  });
  return createContext(appEnv, basics, {
    locale: 'en',
    i18n: english,
    session: appEnv.db.withSession(),
    userAgent: '',
  });
}

/** What a page reads of what is someone's, as who they are. */
export async function readAs<Found>(
  id: string,
  find: (ctx: Context, ownerId: SQL, userId: SQL) => Query<Found>,
): Promise<Found> {
  const ctx = contextOn();
  const who = sql`${id}`;
  return (await ask(ctx, { found: find(ctx, who, who) })).found;
}

/** Runs what the cron trigger starts, once. */
export function runByClock(
  bindings: Partial<Bindings> = {},
  { cron = crons.hourly, ...given }: { cron?: string; jobs?: Job[] } = {},
): Promise<void> {
  const event = createScheduledController({ cron });
  return runJobs(given.jobs ?? jobs, event, { ...env, ...bindings }, createExecutionContext());
}

/** A visit with all the work that continues after its answer. */
export async function seenThrough(
  bindings: Partial<Bindings>,
  visit: (ctx: Context) => Promise<unknown>,
): Promise<void> {
  const works: Promise<unknown>[] = [];
  await visit(contextOn(bindings, (work) => works.push(work)));
  await Promise.all(works);
}
