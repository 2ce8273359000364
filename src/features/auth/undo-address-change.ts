import 'server-only';
import { and, eq, exists, gte, inArray, isNull, min, notExists, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { addressRestores } from '#db/schema/address-restores.ts';
import { knownSignIns } from '#db/schema/known-sign-ins.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import { addressRestored } from '#email/address-restored.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { suppressionOf } from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import { hashToken, isToken } from '#lib/tokens.ts';
import { isLiveRestore, type LiveUndo, ownersOfFormer, undoRows } from './find-undo.ts';
import { originsOf, rememberOrigins } from './known-sign-ins.ts';
import type { Undone } from './schema.ts';
import { sendNotice } from './send-notice.ts';

/**
 * Uses a link that was emailed to the current or a former address of an account, and undoes an
 * address change.
 *
 * - The current address cancels a pending change. Sessions and login links stay.
 * - A former address restores the account within 7 days. It may have been hijacked, so all sessions
 *   and links end and the Google identity is removed. The owner then logs in by email.
 *
 * @param token the unchecked token of the request
 * @param deviceToken the browser's device cookie; null without one
 * @throws AppError `link_invalid`, the same for a token that is malformed, unknown, used or
 *   expired; `address_taken` if another account uses the former address now, after which the link
 *   still works; `rate_limited`
 */
export async function undoAddressChange(
  ctx: Context,
  token: unknown,
  deviceToken: string | null,
): Promise<Undone['outcome']> {
  const tokenHash = isToken(token) ? await hashToken(token) : '';
  const limit = await limitOn(ctx, [{ limit: 'confirmations_per_ip' }], 'go on');
  const { rows, usage } = await ask(ctx, {
    rows: undoRows(ctx, tokenHash),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  const [undo] = rows;
  if (undo === undefined) {
    ctx.observe.log('link_refused');
    throw new AppError('link_invalid');
  }
  const { kind, userId, isTaken } = undo;
  if (isTaken) {
    ctx.observe.log('link_refused', { userId, purpose: kind });
    throw new AppError('address_taken');
  }
  const isUndone =
    kind === 'stop' ? await stop(ctx, tokenHash) : await restore(ctx, tokenHash, undo, deviceToken);
  if (!isUndone) {
    ctx.observe.log('link_refused', { userId, purpose: kind });
    throw new AppError('link_invalid');
  }
  return kind === 'stop' ? 'stopped' : 'restored';
}

/** @returns false if another request was faster */
async function stop(ctx: Context, stopTokenHash: string): Promise<boolean> {
  const { stopped } = await ask(ctx, {
    stopped: db
      .delete(links)
      .where(eq(links.stopTokenHash, stopTokenHash))
      .returning({ userId: links.userId }),
  });
  if (stopped[0] !== undefined) {
    ctx.observe.log('address_change_stopped', stopped[0]);
  }
  return stopped.length > 0;
}

/**
 * One batch, so that of parallel calls exactly one wins and a crash never loses the link.
 *
 * @returns false if another request was faster
 */
async function restore(
  ctx: Context,
  tokenHash: string,
  undo: LiveUndo,
  deviceToken: string | null,
): Promise<boolean> {
  const id = crypto.randomUUID();
  const live = db
    .select({ id: addressRestores.id })
    .from(addressRestores)
    .innerJoin(users, eq(users.id, addressRestores.userId))
    .where(and(isLiveRestore(ctx, tokenHash), notExists(ownersOfFormer())));
  // The row gets an id that only this call knows, as the condition of all other statements.
  const claim = db
    .update(addressRestores)
    .set({ id })
    .where(inArray(addressRestores.id, live))
    .returning({ userId: addressRestores.userId });
  // Empty for calls that lost the race, so that their other statements do nothing.
  const winner = db
    .select({ userId: addressRestores.userId })
    .from(addressRestores)
    .where(eq(addressRestores.id, id));
  // The first change away from this address: an attacker may have changed it back and away again.
  const firstLeft = db
    .select({ createdAt: min(addressRestores.createdAt) })
    .from(addressRestores)
    .where(
      and(
        inArray(addressRestores.userId, winner),
        eq(addressRestores.emailCanonical, undo.otherCanonical),
      ),
    );
  const marks = suppressionOf(undo.user.emailCanonical);
  const {
    claim: [claimed],
    marks: [mark],
  } = await ask(ctx, {
    claim,
    marks,
    // Deletes an unverified account that has since signed up with the former address.
    unproven: db
      .delete(users)
      .where(
        and(
          eq(users.emailCanonical, undo.otherCanonical),
          isNull(users.emailVerifiedAt),
          exists(winner),
        ),
      ),
    restored: db
      .update(users)
      .set({
        email: undo.otherEmail,
        emailCanonical: undo.otherCanonical,
        googleSub: null,
        avatarUrl: null,
      })
      .where(inArray(users.id, winner)),
    sessions: db.delete(sessions).where(inArray(sessions.userId, winner)),
    links: db.delete(links).where(inArray(links.userId, winner)),
    // Only this browser and network, which have just proven the mailbox, stay known.
    knownSignIns: db.delete(knownSignIns).where(inArray(knownSignIns.userId, winner)),
    remembered: rememberOrigins(ctx, winner, await originsOf(ctx, deviceToken)),
    // Last, because `winner` needs the row. With those of later changes, whose addresses are
    // undone.
    restores: db
      .delete(addressRestores)
      .where(
        and(
          inArray(addressRestores.userId, winner),
          gte(addressRestores.createdAt, sql`(${firstLeft})`),
        ),
      ),
  });
  if (claimed === undefined) {
    return false;
  }
  ctx.observe.log('address_restored', { userId: undo.userId });
  const { emailCanonical } = undo.user;
  await sendNotice(ctx, undo.userId, { emailCanonical, reason: mark?.reason ?? null }, () =>
    addressRestored(undo.user, undo.otherEmail),
  );
  return true;
}
