import 'server-only';
import type { Context as HonoContext, Next } from 'hono';
import {
  type Context,
  createBasics,
  createContext,
  type LearnerDevice,
  type RequestBasics,
} from '#context.ts';
import type { Locale } from '#db/values.ts';
import { type AppEnv, type Bindings, readEnv } from '#env.ts';
import { i18nFor } from '#i18n/server.ts';
import { clientNetworkOf, widerNetworkOf } from '#lib/client-network.ts';
import { logFailure } from '#observability/log.ts';
import { readsFrom } from './bookmark.ts';
import { languageOf } from './language.ts';
import { executionContextOf } from './survive-disconnect.ts';

/** The variables that middleware sets for later middleware and routes. */
export type Variables = {
  requestId: string;
  /** Read it by `languageOf`, which sets it on first use. */
  language?: Locale;
  /** Set by hono/secure-headers: the nonce of this response's policy. */
  secureHeadersNonce?: string;
  env: AppEnv;
  basics: RequestBasics;
  ctx: Context;
  /** The D1 session of `ctx.db`; see bookmark.ts. */
  databaseSession: D1DatabaseSession;
  /** The session token that the browser will have after this request; see session-cookie.ts. */
  sessionToken: string | null;
  /** Recognizes a browser that has signed in before; null without one. See session-cookie.ts. */
  deviceToken: string | null;
  /** Which learners the browser is remembered for; see features/learning/learner-cookie.ts. */
  learnerDevice: LearnerDevice;
};

export type HonoEnv = { Bindings: Bindings; Variables: Variables };

/** The part that we read and that a session stores; longer than browsers' User-Agent. */
const userAgentLength = 255;

/** Reads the settings and the client's address: see `RequestBasics`. */
export async function requestBasics(c: HonoContext<HonoEnv>, next: Next) {
  const env = readEnv(c.env);
  const address = c.req.header('CF-Connecting-IP');
  // Read here, because nothing in `ctx` may reference Hono's context; see request-storage.ts.
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
}

/** Creates the context of pages and verbs. */
export async function requestContext(c: HonoContext<HonoEnv>, next: Next) {
  const env = c.get('env');
  // Signed out, unless session-cookie.ts finds a token.
  c.set('sessionToken', null);
  c.set('deviceToken', null);
  c.set('learnerDevice', { cookie: null });
  const session = env.db.withSession(await readsFrom(c));
  c.set('databaseSession', session);
  const locale = languageOf(c);
  const facts = {
    locale,
    i18n: i18nFor(locale),
    session,
    userAgent: (c.req.header('User-Agent') ?? '').slice(0, userAgentLength),
  };
  c.set('ctx', createContext(env, c.get('basics'), facts));
  await next();
}

/** Logs and reports an unexpected error; only logs it if the settings can't be read. */
export function fail(c: HonoContext<HonoEnv>, error: unknown): void {
  const basics: RequestBasics | undefined = c.get('basics');
  if (basics === undefined) {
    logFailure(c.get('requestId'), error);
  } else {
    basics.observe.fail(error);
  }
}
