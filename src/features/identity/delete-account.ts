import 'server-only';
import { inArray, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { counters } from '#db/schema/counters.ts';
import { counterKeys } from '#features/limits/limit-on.ts';
import { tellPeople } from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { countedFor, erased } from '#vocabulary.ts';
import type { ViewerContext } from './find-actor.ts';
import { requireOwnAccount } from './get-account.ts';
import { requireRecentLogin } from './require-recent-login.ts';

/**
 * Tells the people of cohorts that are not over, and deletes the viewer's account with everything
 * that belongs to it, in one batch: sessions, links, address restores, known sign-ins and courses
 * cascade from the user's row; counters and the address's suppression entry are deleted by key.
 * Frees the address and the Google identity.
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
  const { told } = await ask(ctx, {
    // First, while there is something to tell. These emails outlive the account.
    told: tellPeople(
      ctx,
      'cohort_cancelled',
      sql`c.owner_id = ${viewer.id} AND c.deleted_at IS NULL`,
    ),
    counters: db.delete(counters).where(inArray(counters.key, keys)),
    ...Object.fromEntries(erasures),
  });
  ctx.observe.log('account_deleted', { userId: viewer.id });
  sendSoon(ctx, told);
}
