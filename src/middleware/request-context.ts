import 'server-only';
import type { Context as HonoContext } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type Context, createContext } from '#context.ts';
import type { Locale } from '#db/values.ts';
import { type AppEnv, type Bindings, readEnv } from '#env.ts';
import { browserName } from '#lib/browser-name.ts';
import { networkOf, placeOf } from '#lib/client-address.ts';
import { logFailure } from '#lib/log.ts';
import { readsFrom } from './bookmark.ts';
import { executionContextOf } from './until-done.ts';

/** What the middleware of every request has found out, for those that come after it. */
export type Variables = {
  requestId: string;
  language: Locale;
  /** Set by hono/secure-headers: the nonce of this response's policy. */
  secureHeadersNonce?: string;
  env: AppEnv;
  ctx: Context;
  /** What `ctx.db` asks through; see bookmark.ts. */
  databaseSession: D1DatabaseSession;
  /** The session token that the browser holds after this request; see session-cookie.ts. */
  sessionToken: string | null;
  /** The token by which a browser that has signed in before is recognized; null without one. See session-cookie.ts. */
  browserToken: string | null;
};

export type HonoEnv = { Bindings: Bindings; Variables: Variables };

/** Resolves configuration and language once, into the context that pages and verbs are given. */
export function requestContext() {
  return createMiddleware<HonoEnv>(async function requestContext(c, next) {
    const env = readEnv(c.env);
    c.set('env', env);
    const session = env.db.withSession(await readsFrom(c));
    c.set('databaseSession', session);
    // Found here and not when there is work: nothing in `ctx` may lead to Hono's context; see request-storage.ts.
    const execution = executionContextOf(c);
    c.set(
      'ctx',
      createContext(env, {
        browser: browserName(c.req.header('User-Agent') ?? ''),
        locale: c.get('language'),
        place: placeOf(c.req.header('CF-Connecting-IP')),
        network: networkOf(c.req.header('CF-Connecting-IP')),
        requestId: c.get('requestId'),
        session,
        request: c.req.raw,
        waitUntil: (work) => execution?.waitUntil(work),
      }),
    );
    await next();
  });
}

/** Writes down what nobody expected, and reports it. Where the settings cannot be read there is nothing but the log. */
export function fail(c: HonoContext<HonoEnv>, error: unknown): void {
  const ctx: Context | undefined = c.get('ctx');
  if (ctx === undefined) {
    logFailure(c.get('requestId'), error);
  } else {
    ctx.fail(error);
  }
}
