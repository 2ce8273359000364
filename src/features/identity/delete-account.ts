import 'server-only';
import { eq, inArray, sql } from 'drizzle-orm';
import { ask, db, query } from '#db/query.ts';
import { counters } from '#db/schema/counters.ts';
import { users } from '#db/schema/users.ts';
import { accountKeepers, beforeAccountDeletion, endedWithAccount } from '#deletions.ts';
import { counterKeys, type LimitUse } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { AppError } from '#lib/app-error.ts';
import { countedFor, defaultLimits, type ErrorCode, erased, type LimitName } from '#vocabulary.ts';
import type { ViewerContext } from './find-actor.ts';
import { requireOwnAccount } from './get-account.ts';
import { requireRecentLogin } from './require-viewer.ts';

/**
 * Deletes the viewer's account with everything that belongs to it, after the emails that tell others
 * of its end, in one batch: sessions, links, address restores, known sign-ins and courses
 * cascade from the user's row; counters and the address's suppression entry are deleted by key.
 * Frees the address and the Google identity.
 *
 * @throws AppError `not_found`, `proof_required`; one of `accountKeepers`, such as `refunds_under_way`
 */
export async function deleteAccount(ctx: ViewerContext, id: string): Promise<void> {
  requireOwnAccount(ctx, id);
  requireRecentLogin(ctx);
  const { viewer } = ctx;
  const { kept } = await ask(ctx, {
    kept: db.all<{ code: ErrorCode }>(
      sql.join(
        Object.entries(accountKeepers).map(
          ([code, keeps]) => sql`SELECT ${code} AS code WHERE ${keeps(viewer.id)}`,
        ),
        sql` UNION ALL `,
      ),
    ),
  });
  if (kept[0] !== undefined) {
    throw new AppError(kept[0].code);
  }
  const keys = await counterKeys(ctx, countersOf(viewer));
  const emails = Object.entries(beforeAccountDeletion).map(
    ([name, write]) => [name, write(ctx, viewer.id)] as const,
  );
  const erasures = Object.entries(erased).map(([name, erase]) => [name, erase(db, viewer)]);
  const { mailIds, endElsewhere } = await ask(ctx, {
    endElsewhere: endedWithAccount(ctx, viewer.id),
    // First, while there is something to tell.
    mailIds: query(Object.fromEntries(emails), (ids) => Object.values(ids).flat()),
    counters: db.delete(counters).where(inArray(counters.key, keys)),
    ...Object.fromEntries(erasures),
    users: db.delete(users).where(eq(users.id, viewer.id)),
  });
  ctx.observe.log('account_deleted', { userId: viewer.id });
  sendSoon(ctx, mailIds);
  ctx.waitUntil(endElsewhere());
}

/** What counts an account: each limit per user by its id, others as their vocabularies say. */
function countersOf(viewer: ViewerContext['viewer']): LimitUse[] {
  // The names are those of the vocabularies.
  const perUser = Object.keys(defaultLimits).filter((name) =>
    name.endsWith('_per_user'),
  ) as Extract<LimitName, `${string}_per_user`>[];
  const others = Object.entries(countedFor).flatMap(([limit, subjectsOf]) =>
    subjectsOf(viewer).map((subject) => ({ limit: limit as keyof typeof countedFor, subject })),
  );
  return [...perUser.map((limit) => ({ limit, subject: viewer.id })), ...others];
}
