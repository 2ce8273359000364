import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { createMiddleware } from 'hono/factory';
import { type Context, createContext } from '#context.ts';
import type { Locale } from '#db/values.ts';
import { type AppEnv, type Bindings, readEnv } from '#env.ts';
import { browserName } from '#lib/browser-name.ts';
import { placeOf } from '#lib/client-address.ts';
import { readsFrom } from './bookmark.ts';

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
  /** What a page could not read, in words for its reader; see failure-page.ts. */
  unread?: MessageDescriptor;
};

export type HonoEnv = { Bindings: Bindings; Variables: Variables };

/** Resolves configuration and language once, into the context that pages and verbs are given. */
export function requestContext() {
  return createMiddleware<HonoEnv>(async function requestContext(c, next) {
    const env = readEnv(c.env);
    c.set('env', env);
    const session = env.db.withSession(await readsFrom(c));
    c.set('databaseSession', session);
    c.set(
      'ctx',
      createContext(env, {
        browser: browserName(c.req.header('User-Agent') ?? ''),
        locale: c.get('language'),
        place: placeOf(c.req.header('CF-Connecting-IP')),
        requestId: c.get('requestId'),
        session,
      }),
    );
    await next();
  });
}
