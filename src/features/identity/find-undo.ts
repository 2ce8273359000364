import 'server-only';
import { and, eq, exists, gt, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { type Given, type Moment, prepared } from '#db/prepared.ts';
import { db } from '#db/query.ts';
import { addressRestores } from '#db/schema/address-restores.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import type { Addressee } from '#email/layout.ts';
import { recipient } from './find-link.ts';
import { fitsItsUser, isLiveLink } from './live-links.ts';

/** The effect of a valid link that undoes an address change, and its account. */
export type LiveUndo = {
  /** `stop` cancels a pending change, `restore` restores a former address. */
  kind: 'stop' | 'restore';
  userId: string;
  /** The new address of the pending change, or the former address to restore. */
  otherEmail: string;
  otherCanonical: string;
  /** Whether another verified account uses the former address now. */
  isTaken: boolean;
  /** When the change was requested, or made. */
  createdAt: Date;
  expiresAt: Date;
  user: Addressee & { emailCanonical: string };
};

/** The query for both kinds of links; a token belongs to one of them. */
export const undoRows = prepared(({ tokenHash, now }: Given<'tokenHash' | 'now'>) => {
  const stop = db
    .select({
      kind: undoKind('stop'),
      userId: users.id,
      otherEmail: sql<string>`${links.newEmail}`.as('other_email'),
      otherCanonical: links.emailCanonical,
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
export function isLiveRestore(now: Moment, tokenHash: string | SQL) {
  return and(
    eq(addressRestores.tokenHash, tokenHash),
    gt(addressRestores.expiresAt, now),
    isNotNull(users.emailVerifiedAt),
    ne(users.emailCanonical, addressRestores.emailCanonical),
  );
}

/** The query for a verified account that uses the former address of a restore. */
export function ownersOfFormer() {
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

function undoKind(kind: LiveUndo['kind']) {
  return sql<LiveUndo['kind']>`${sql.raw(`'${kind}'`)}`.as('kind');
}
