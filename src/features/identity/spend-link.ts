import 'server-only';
import { and, eq, exists, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation } from '#db/errors.ts';
import { type Answers, ask, db, type Queries, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { addressRestores, links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { addressChanged } from '#email/account-letters.ts';
import { type SuppressionEntry, suppressionOf } from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { serverPaths } from '#paths.ts';
import type { LiveLink } from './find-link.ts';
import { rememberSignIn } from './known-sign-ins.ts';
import {
  deleteUnproven,
  endChange,
  fitsItsUser,
  isLiveLink,
  sessionOwner,
} from './live-links-and-sessions.ts';
import { deleteReplaced, newSession, type SignInDevice } from './new-session.ts';
import { sendNotice } from './send-notice.ts';

const restoreSeconds = 7 * 24 * 60 * 60;

type Spending<After extends Queries> = {
  /** What was used, for the log. */
  by: 'link' | 'code';
  /** True in SQL for the row of the link, if the request may use it. */
  proof: SQL;
  /** Queries to run in the same batch, after everything that using the link changes. */
  after: After;
};

/**
 * Uses a link and signs the browser in. One batch claims the link, creates the session and deletes
 * what must not outlive the link: of parallel calls one wins, and a crash loses nothing.
 *
 * - A verification link proves the mailbox for the first time: everything from before is deleted.
 * - A login link is for verified accounts. It ends no session, but a pending address change.
 * - An address change replaces the old address with the proven one and emails the old one a link to
 *   undo it; all other access ends: sessions, links, the Google identity.
 *
 * @param link as it was read; whether it can still be used is decided in the batch
 * @returns the token for the session cookie, null if the link could not be used; and the answers of
 *   `after`
 * @throws AppError `link_invalid` if someone else has proven the new address since
 */
export async function spendLink<const After extends Queries>(
  ctx: Context,
  link: LiveLink,
  device: SignInDevice,
  { by, proof, after }: Spending<After>,
): Promise<{ sessionToken: string | null; answers: Answers<After> }> {
  const now = ctx.now();
  const session = await newSession(ctx, device);

  const claim = db.insert(sessions).select(
    db
      .select(session.selectFor(links.userId))
      .from(links)
      .innerJoin(users, eq(users.id, links.userId))
      .where(and(proof, eq(links.purpose, link.purpose), isLiveLink(now), fitsItsUser(now))),
  );
  // Empty for calls that lost the race, so that their other statements do nothing.
  const winner = sessionOwner(session.tokenHash);
  // The account's owner was not known before, so anyone may have created its data.
  const verified = {
    verified: db
      .update(users)
      .set({ emailVerifiedAt: now, googleSub: null, avatarUrl: null, selectedCourseId: null })
      .where(inArray(users.id, winner)),
    courses: db.delete(courses).where(inArray(courses.ownerId, winner)),
  };
  const undoToken = createToken();
  const undoHash = await hashToken(undoToken);
  const moved = {
    // Before the address is overwritten. Restores of earlier changes stay, with their links.
    restore: db.insert(addressRestores).select(
      db
        .select({
          id: sql`${crypto.randomUUID()}`.as('id'),
          tokenHash: sql`${undoHash}`.as('token_hash'),
          userId: users.id,
          email: users.email,
          emailCanonical: users.emailCanonical,
          createdAt: sql`${now.getTime()}`.as('created_at'),
          expiresAt: sql`${now.getTime() + restoreSeconds * 1000}`.as('expires_at'),
        })
        .from(users)
        .where(inArray(users.id, winner)),
    ),
    // The address now has a proven owner.
    unproven: deleteUnproven(link.emailCanonical, exists(winner)),
    moved: db
      .update(users)
      // The Google identity belongs to the old mailbox; signing in with Google can link a new one.
      .set({
        email: link.email,
        emailCanonical: link.emailCanonical,
        googleSub: null,
        avatarUrl: null,
      })
      .where(inArray(users.id, winner)),
  };
  const nothingOlder = {
    olderLinks: db.delete(links).where(inArray(links.userId, winner)),
    olderSessions: db
      .delete(sessions)
      .where(and(inArray(sessions.userId, winner), ne(sessions.tokenHash, session.tokenHash))),
  };
  const consequences = {
    verification: { ...verified, ...nothingOlder },
    login: { change: endChange(inArray(links.userId, winner)) },
    address_change: { ...moved, ...nothingOlder },
  }[link.purpose];
  const { claimed, suppression, answers } = await ask(ctx, {
    claimed: claim.returning({ id: sessions.id }),
    suppression: suppressionOf(link.user.emailCanonical),
    replaced: deleteReplaced(session),
    spent: db
      .delete(links)
      .where(and(inArray(links.userId, winner), eq(links.purpose, link.purpose))),
    consequences: query(consequences, () => null),
    remembered: rememberSignIn(ctx, session),
    answers: query(after, (answers) => answers),
  }).catch((error: unknown) => {
    // Someone else has proven the new address since the link was emailed.
    if (isUniqueViolation(error, 'users.email_canonical')) {
      ctx.observe.log('link_refused', { userId: link.userId, purpose: link.purpose });
      throw new AppError('link_invalid');
    }
    throw error;
  });
  if (claimed.length === 0) {
    return { sessionToken: null, answers };
  }
  ctx.observe.log('link_spent', { userId: link.userId, purpose: link.purpose, by });
  if (link.purpose === 'address_change') {
    await notifyFormerAddress(ctx, link, undoToken, suppression);
  }
  return { sessionToken: session.token, answers };
}

/** The change holds without this email. Its link stays: only Resend's answer may have been lost. */
async function notifyFormerAddress(
  ctx: Context,
  link: LiveLink,
  undoToken: string,
  suppression: SuppressionEntry,
): Promise<void> {
  ctx.observe.log('address_changed', { userId: link.userId });
  const undoLink = serverPaths.undoAddressChangeLink(ctx.config.appOrigin, undoToken);
  await sendNotice(ctx, link.userId, suppression, () =>
    addressChanged(link.user, link.email, undoLink),
  );
}
