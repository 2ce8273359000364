import 'server-only';
import { and, eq, gt, inArray, notInArray, type SQLWrapper, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db } from '#db/query.ts';
import { knownSignIns } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { unknownNetwork } from '#lib/client-network.ts';
import { isToken, sign } from '#lib/tokens.ts';
import { sessionOwner } from './live-links-and-sessions.ts';

const lifetimeSeconds = 180 * 24 * 60 * 60;

/**
 * The browser and the network of a request, as keyed hashes. The user's id is not part of the hash:
 * only the database knows it at that point, at a sign-in as well as when a login link is requested.
 *
 * @param deviceToken the unchecked value of the browser's device cookie
 */
export async function originsOf(ctx: Context, deviceToken: unknown): Promise<string[]> {
  const { clientNetwork: network } = ctx.request;
  const origins = [
    ...(isToken(deviceToken) ? [`browser:${deviceToken}`] : []),
    ...(network === unknownNetwork ? [] : [`network:${network}`]),
  ];
  return Promise.all(
    origins.map(async (origin) => {
      const [kind] = origin.split(':', 1);
      return `${kind}:${await sign(`known ${origin}`, ctx.config.appSecret)}`;
    }),
  );
}

/** The statement that stores the origins of a new session. Runs after the insert of the session. */
export function rememberSignIn(ctx: Context, session: { tokenHash: string; origins: string[] }) {
  return rememberOrigins(ctx, sessionOwner(session.tokenHash), session.origins);
}

/** @param whose a query for at most one id, by the name of `user_id` */
export function rememberOrigins({ now }: Context, whose: SQLWrapper, origins: string[]) {
  const expiresAt = now().getTime() + lifetimeSeconds * 1000;
  return db
    .insert(knownSignIns)
    .select(
      // Without the WHERE, SQLite would parse ON CONFLICT as part of a join.
      sql`SELECT whose.user_id, origins.value, ${expiresAt}
        FROM ${whose} AS whose CROSS JOIN json_each(${JSON.stringify(origins)}) AS origins WHERE true`,
    )
    .onConflictDoUpdate({
      target: [knownSignIns.userId, knownSignIns.origin],
      set: { expiresAt: sql`excluded.expires_at` },
    });
}

/** The statement that deletes an account's known origins, except these. */
export function forgetSignIns(userId: string, except: string[]) {
  return db
    .delete(knownSignIns)
    .where(and(eq(knownSignIns.userId, userId), notInArray(knownSignIns.origin, except)));
}

/** The query for whether an account knows one of these origins: it returns a row if so. */
export function knownTo({ now }: Context, emailCanonical: string, origins: string[]) {
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
