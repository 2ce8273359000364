import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { type Context, createContext } from '#context.ts';
import { scheduled } from '#cron.ts';
import { type Bindings, readEnv } from '#env.ts';

/** What a request from nowhere in particular would be given. */
export function contextOn(bindings: Partial<Bindings> = {}): Context {
  const appEnv = readEnv({ ...env, ...bindings });
  return createContext(appEnv, {
    browser: null,
    locale: 'en',
    place: 'here',
    requestId: 'a-request',
    request: null,
    session: appEnv.db.withSession(),
    waitUntil: () => {},
  });
}

/** What the clock begins, once. */
export function runByClock(bindings: Partial<Bindings> = {}): Promise<void> {
  return scheduled(createScheduledController(), { ...env, ...bindings }, createExecutionContext());
}
