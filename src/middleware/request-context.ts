import 'server-only';
import type { Context as HonoContext } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type Context, createBasics, createContext, type RequestBasics } from '#context.ts';
import type { Locale } from '#db/values.ts';
import { type AppEnv, type Bindings, readEnv } from '#env.ts';
import { clientNetworkOf, widerNetworkOf } from '#lib/client-network.ts';
import { logFailure } from '#observability/log.ts';
import { readsFrom } from './bookmark.ts';
import { languageOf } from './language.ts';
import { executionContextOf } from './survive-disconnect.ts';

/** What the middleware of every request has found out, for those that come after it. */
export type Variables = {
  requestId: string;
  /** Ask `languageOf`, which looks for it when it is first needed. */
  language?: Locale;
  /** Set by hono/secure-headers: the nonce of this response's policy. */
  secureHeadersNonce?: string;
  env: AppEnv;
  basics: RequestBasics;
  ctx: Context;
  /** What `ctx.db` asks through; see bookmark.ts. */
  databaseSession: D1DatabaseSession;
  /** The session token that the browser holds after this request; see session-cookie.ts. */
  sessionToken: string | null;
  /**
   * The token by which a browser that has signed in before is recognized; null without one. See
   * session-cookie.ts.
   */
  deviceToken: string | null;
};

export type HonoEnv = { Bindings: Bindings; Variables: Variables };

/** As much as anything of ours looks at, and as a session keeps. Browsers call themselves less. */
const userAgentLength = 255;

/** Reads the settings, and of the request only where it comes from: see `RequestBasics`. */
export function requestBasics() {
  return createMiddleware<HonoEnv>(async function requestBasics(c, next) {
    const env = readEnv(c.env);
    const address = c.req.header('CF-Connecting-IP');
    // Found here and not when there is work: nothing in `ctx` may lead to Hono's context; see
    // request-storage.ts.
    const execution = executionContextOf(c);
    const facts = {
      clientNetwork: clientNetworkOf(address),
      widerNetwork: widerNetworkOf(address),
      requestId: c.get('requestId'),
      request: c.req.raw,
      waitUntil: (work: Promise<unknown>) => execution?.waitUntil(work),
    };
    c.set('env', env);
    c.set('basics', createBasics(env, facts));
    await next();
  });
}

/** Puts together the context that pages and verbs are given. */
export function requestContext() {
  return createMiddleware<HonoEnv>(async function requestContext(c, next) {
    const env = c.get('env');
    // Nobody is signed in, unless session-cookie.ts finds out more.
    c.set('sessionToken', null);
    c.set('deviceToken', null);
    const session = env.db.withSession(await readsFrom(c));
    c.set('databaseSession', session);
    const facts = {
      locale: languageOf(c),
      session,
      userAgent: (c.req.header('User-Agent') ?? '').slice(0, userAgentLength),
    };
    c.set('ctx', createContext(env, c.get('basics'), facts));
    await next();
  });
}

/** Writes down what nobody expected, and reports it. Where the settings cannot be read there is nothing but the log. */
export function fail(c: HonoContext<HonoEnv>, error: unknown): void {
  const basics: RequestBasics | undefined = c.get('basics');
  if (basics === undefined) {
    logFailure(c.get('requestId'), error);
  } else {
    basics.observe.fail(error);
  }
}
