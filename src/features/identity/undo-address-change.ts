import 'server-only';
import {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  min,
  ne,
  notExists,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, type Moment, prepared } from '#db/prepared.ts';
import { ask, db, type RowFrom } from '#db/query.ts';
import { addressRestores, knownSignIns, links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { addressRestored } from '#email/account-letters.ts';
import { suppressionOf } from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import { findLinkToUse, recipient } from './find-link.ts';
import { originsOf, rememberOrigins } from './known-sign-ins.ts';
import { deleteUnproven, fitsItsUser, isLiveLink } from './live-links-and-sessions.ts';
import { sendNotice } from './send-notice.ts';

/**
 * Undoes an address change, with a link emailed to the account's current or former address.
 *
 * - The current address cancels a pending change. Sessions and login links stay.
 * - A former address restores the account within 7 days. It may have been hijacked, so all sessions
 *   and links end and the Google identity is removed. The owner then logs in by email.
 *
 * @param deviceToken the browser's device cookie; null without one
 * @throws what `findLinkToUse` throws; `address_taken`, after which the link still works
 */
export async function undoAddressChange(ctx: Context, token: unknown, deviceToken: string | null) {
  const { link: undo, tokenHash } = await findLinkToUse(ctx, token, undoRows);
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
    .where(and(isLiveRestore(ctx.now(), tokenHash), notExists(ownersOfFormer())));
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
  const {
    claim: [claimed],
    suppression,
  } = await ask(ctx, {
    claim,
    suppression: suppressionOf(undo.user.emailCanonical),
    // Someone may have signed up with the former address since.
    unproven: deleteUnproven(undo.otherCanonical, exists(winner)),
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
    // Last, because `winner` needs the row. Later changes are undone too, so their rows go as well.
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
  await sendNotice(ctx, undo.userId, suppression, () =>
    addressRestored(undo.user, undo.otherEmail),
  );
  return true;
}

/** The effect of a valid link that undoes an address change, and its account. */
type LiveUndo = RowFrom<typeof undoRows>;

/** The query for both kinds of links; a token belongs to one of them. */
export const undoRows = prepared(({ tokenHash, now }: Given<'tokenHash' | 'now'>) => {
  const stop = db
    .select({
      /** `stop` cancels a pending change, `restore` restores a former address. */
      kind: undoKind('stop'),
      userId: users.id,
      /** The new address of the pending change, or the former address to restore. */
      otherEmail: sql<string>`${links.newEmail}`.as('other_email'),
      otherCanonical: links.emailCanonical,
      /** Whether another verified account uses the former address now. */
      isTaken: sql`0`.mapWith(Boolean).as('is_taken'),
      createdAt: links.createdAt,
      expiresAt: links.expiresAt,
      user: recipient,
    })
    .from(links)
    .innerJoin(users, eq(users.id, links.userId))
    .where(and(eq(links.stopTokenHash, tokenHash), fitsItsUser(now), isLiveLink(now)));
  const restore = db
    .select({
      kind: undoKind('restore'),
      userId: users.id,
      otherEmail: sql<string>`${addressRestores.email}`.as('other_email'),
      otherCanonical: addressRestores.emailCanonical,
      isTaken: exists(ownersOfFormer()).mapWith(Boolean).as('is_taken'),
      createdAt: addressRestores.createdAt,
      expiresAt: addressRestores.expiresAt,
      user: recipient,
    })
    .from(addressRestores)
    .innerJoin(users, eq(users.id, addressRestores.userId))
    .where(isLiveRestore(now, tokenHash));
  return stop.unionAll(restore);
});

/** True for the valid restore with this token, unless its user has the address again already. */
function isLiveRestore(now: Moment, tokenHash: string | SQL) {
  return and(
    eq(addressRestores.tokenHash, tokenHash),
    gt(addressRestores.expiresAt, now),
    isNotNull(users.emailVerifiedAt),
    ne(users.emailCanonical, addressRestores.emailCanonical),
  );
}

/** The query for a verified account that uses the former address of a restore. */
function ownersOfFormer() {
  return db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.emailCanonical, addressRestores.emailCanonical),
        isNotNull(users.emailVerifiedAt),
      ),
    );
}

function undoKind(kind: 'stop' | 'restore') {
  return sql<'stop' | 'restore'>`${sql.raw(`'${kind}'`)}`.as('kind');
}
