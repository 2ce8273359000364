import 'server-only';
import { inArray } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { counters } from '#db/schema/counters.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { requireRecentLogin } from '#features/auth/require-recent-login.ts';
import { counterKeys } from '#features/limits/limit-on.ts';
import { countedFor, erased } from '#vocabulary.ts';
import { requireOwnAccount } from './get-account.ts';

/**
 * Deletes the viewer's account and everything that belongs to it, in one batch: sessions, links,
 * address restores, known sign-ins and courses cascade from the user's row; counters and the
 * address's suppression entry are deleted by key. Frees the address and the Google identity.
 *
 * @throws AppError `not_found`, `proof_required`
 */
export async function deleteAccount(ctx: ViewerContext, id: string): Promise<void> {
  requireOwnAccount(ctx, id);
  requireRecentLogin(ctx);
  const { viewer } = ctx;
  const keys = await counterKeys(
    ctx,
    Object.entries(countedFor).flatMap(([limit, subjectsOf]) =>
      subjectsOf(viewer).map((subject) => ({ limit: limit as keyof typeof countedFor, subject })),
    ),
  );
  const erasures = Object.entries(erased).map(([name, erase]) => [name, erase(db, viewer)]);
  await ask(ctx, {
    counters: db.delete(counters).where(inArray(counters.key, keys)),
    ...Object.fromEntries(erasures),
  });
  ctx.observe.log('account_deleted', { userId: viewer.id });
}
