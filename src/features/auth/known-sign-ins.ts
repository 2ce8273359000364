import 'server-only';
import { and, eq, gt, inArray, notInArray, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { knownSignIns } from '#db/schema/known-sign-ins.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import { unknownPlace } from '#lib/client-address.ts';
import { isToken, sign } from '#lib/tokens.ts';

const lifetimeSeconds = 180 * 24 * 60 * 60;

/** What a request comes from, by which a later one is recognized. */
export type OriginKind = 'browser' | 'network';

/**
 * The browser and the network of a request, in the form in which they are kept. Not with the user's id: whom a sign-in is for is
 * known to the database alone when it is written down, and so is whose address a login was asked for.
 *
 * @param browserToken what the cookie of the browser holds, of any shape
 */
export async function originsOf(ctx: Context, browserToken: unknown): Promise<string[]> {
  const named: [OriginKind, string][] = [
    ...(isToken(browserToken) ? [['browser', browserToken] as [OriginKind, string]] : []),
    ...(ctx.place === unknownPlace ? [] : [['network', ctx.place] as [OriginKind, string]]),
  ];
  return Promise.all(
    named.map(
      async ([kind, value]) => `${kind}:${await sign(`known ${kind}:${value}`, ctx.appSecret)}`,
    ),
  );
}

export function originKindOf(origin: string): OriginKind {
  return origin.startsWith('browser:') ? 'browser' : 'network';
}

/** The statement that keeps where a session came from, after the one that made it: nothing where none was made. */
export function rememberSignIn(
  { db, now }: Context,
  session: { tokenHash: string; origins: string[] },
) {
  const expiresAt = now().getTime() + lifetimeSeconds * 1000;
  return db
    .insert(knownSignIns)
    .select(
      sql`SELECT ${sessions.userId}, wanted.value, ${expiresAt}
        FROM ${sessions} CROSS JOIN json_each(${JSON.stringify(session.origins)}) AS wanted
        WHERE ${eq(sessions.tokenHash, session.tokenHash)}`,
    )
    .onConflictDoUpdate({
      target: [knownSignIns.userId, knownSignIns.origin],
      set: { expiresAt: sql`excluded.expires_at` },
    });
}

/** The statement after which an account knows nothing but these. */
export function forgetSignIns({ db }: Context, userId: string, except: string[]) {
  return db
    .delete(knownSignIns)
    .where(and(eq(knownSignIns.userId, userId), notInArray(knownSignIns.origin, except)));
}

/** The query for whether one of these has signed in to the account with an address before: a row then, and none else. */
export function knownTo({ db, now }: Context, emailCanonical: string, origins: string[]) {
  return db
    .select({ userId: knownSignIns.userId })
    .from(users)
    .innerJoin(knownSignIns, eq(knownSignIns.userId, users.id))
    .where(
      and(
        eq(users.emailCanonical, emailCanonical),
        inArray(knownSignIns.origin, origins),
        gt(knownSignIns.expiresAt, now()),
      ),
    )
    .limit(1);
}
