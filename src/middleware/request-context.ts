import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import type { Context as HonoContext } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type Context, createBasics, createContext, type RequestBasics } from '#context.ts';
import type { Locale } from '#db/values.ts';
import { type AppEnv, type Bindings, readEnv } from '#env.ts';
import type { Viewer } from '#features/auth/find-viewer.ts';
import { placeOf } from '#lib/client-address.ts';
import { logFailure } from '#lib/log.ts';
import { readsFrom } from './bookmark.ts';
import { languageOf } from './language.ts';
import { executionContextOf } from './until-done.ts';

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
  /** Who asks for a page, looked up by the page and asked for by the reports too; see page-request.ts. */
  found?: Promise<{ viewer: Viewer } | null>;
  /** What a page could not read, in words for its reader; see failure-page.ts. */
  unread?: MessageDescriptor;
};

export type HonoEnv = { Bindings: Bindings; Variables: Variables };

/** As much as anything of ours looks at, and as a session keeps. Browsers call themselves less. */
const userAgentLength = 255;

/** Reads the settings, and of the request only where it comes from: see `RequestBasics`. */
export function requestBasics() {
  return createMiddleware<HonoEnv>(async function requestBasics(c, next) {
    const env = readEnv(c.env);
    c.set('env', env);
    c.set('basics', createBasics(env, basicFactsOf(c)));
    await next();
  });
}

/** Puts together the context that pages and verbs are given. */
export function requestContext() {
  return createMiddleware<HonoEnv>(async function requestContext(c, next) {
    const env = c.get('env');
    const session = env.db.withSession(await readsFrom(c));
    c.set('databaseSession', session);
    const facts = {
      ...basicFactsOf(c),
      locale: languageOf(c),
      session,
      userAgent: (c.req.header('User-Agent') ?? '').slice(0, userAgentLength),
    };
    c.set('ctx', createContext(env, facts, c.get('basics')));
    await next();
  });
}

function basicFactsOf(c: HonoContext<HonoEnv>) {
  return {
    place: placeOf(c.req.header('CF-Connecting-IP')),
    requestId: c.get('requestId'),
    request: c.req.raw,
    waitUntil: (work: Promise<unknown>) => executionContextOf(c)?.waitUntil(work),
  };
}

/** Writes down what nobody expected, and reports it. Where the settings cannot be read there is nothing but the log. */
export function fail(c: HonoContext<HonoEnv>, error: unknown): void {
  const basics: RequestBasics | undefined = c.get('basics');
  if (basics === undefined) {
    logFailure(c.get('requestId'), error);
  } else {
    basics.fail(error);
  }
}
