import 'server-only';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { named } from '#db/batch.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import type { Locale, SuppressionReason } from '#db/values.ts';
import { AppError } from '#lib/app-error.ts';
import { hashToken, isToken } from '#lib/tokens.ts';
import { isLiveLink } from './links.ts';
import { isAskedByLiveSession, isLiveSession } from './live-sessions.ts';
import type { OwnRead } from './own-read.ts';

/** A visit is written down at most this often. */
const lastSeenPrecisionMs = 24 * 60 * 60 * 1000;

/** The signed-in user of a request, with what every signed-in page shows. */
export type Viewer = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  /** The form that decides whether two addresses are one. */
  emailCanonical: string;
  /**
   * The address that is to take the place of `email` once its link is clicked; null when none is
   * waiting, or the session that asked has ended.
   */
  pendingEmail: string | null;
  /** Why no more mail goes to `email`; null when it does. */
  undeliverable: SuppressionReason | null;
  avatarUrl: string | null;
  language: Locale;
  createdAt: Date;
  /** Null exactly while the user has no course. */
  selectedCourseId: string | null;
  /** The session of this request. It began with a proof of who this is: by mail or by Google. */
  session: { id: string; createdAt: Date };
};

/** What a verb for signed-in users gets: they act for `viewer` and nobody else. */
export type ViewerContext = Context & { viewer: Viewer };

/** A viewer, and the answers of what was read along with them. */
type Found<Answers> = { viewer: Viewer; answers: Answers };

/**
 * Who a session cookie belongs to, and what else is read of theirs, all in one trip. Fails closed: whoever cannot be looked up is
 * not signed in, and of what was read along nobody is told anything.
 *
 * @param token the cookie's value, of any shape
 * @param reads answered in their order
 * @returns null when the session does not exist, has expired, or its user is not verified
 * @throws AppError `unavailable` when the database does not answer; whatever an answer throws
 */
export async function findViewer<Answers extends unknown[] = []>(
  ctx: Context,
  token: unknown,
  ...reads: { [Index in keyof Answers]: OwnRead<Answers[Index]> }
): Promise<Found<Answers> | null> {
  if (!isToken(token)) {
    return null;
  }
  const now = ctx.now();
  const tokenHash = await hashToken(token);
  const userId = sql`(SELECT ${sessions.userId} FROM ${sessions} WHERE ${eq(sessions.tokenHash, tokenHash)})`;
  const [[row], ...rowsOfReads] = await ctx.db
    .batch([
      viewerRow(ctx, tokenHash, now),
      ...reads.map(({ query }: OwnRead<unknown>) => query(ctx, userId)),
    ])
    .catch((cause: unknown) => {
      throw new AppError('unavailable', { cause });
    });
  if (row === undefined) {
    ctx.observe.log('session_refused');
    return null;
  }
  const { sessionId, sessionCreatedAt, lastSeenAt, ...person } = row;
  const viewer = { ...person, session: { id: sessionId, createdAt: sessionCreatedAt } };
  ctx.observe.setReportedUser(viewer);
  if (now.getTime() - lastSeenAt.getTime() >= lastSeenPrecisionMs) {
    ctx.waitUntil(
      ctx.db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.tokenHash, tokenHash)),
    );
  }
  const answers = reads.map(({ answer }: OwnRead<unknown>, index) =>
    answer(rowsOfReads[index], viewer),
  );
  return { viewer, answers: inOrder(answers) };
}

function viewerRow(ctx: Context, tokenHash: string, now: Date) {
  return ctx.db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      emailCanonical: users.emailCanonical,
      pendingEmail: links.newEmail,
      undeliverable: suppressedAddresses.reason,
      avatarUrl: users.avatarUrl,
      language: users.language,
      createdAt: users.createdAt,
      selectedCourseId: users.selectedCourseId,
      sessionId: named('session_id', sessions.id),
      sessionCreatedAt: named('session_created_at', sessions.createdAt),
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(suppressedAddresses, eq(suppressedAddresses.emailCanonical, users.emailCanonical))
    .leftJoin(
      links,
      and(
        eq(links.userId, users.id),
        eq(links.purpose, 'address_change'),
        isLiveLink(now),
        isAskedByLiveSession(ctx),
      ),
    )
    .where(
      and(eq(sessions.tokenHash, tokenHash), isLiveSession(now), isNotNull(users.emailVerifiedAt)),
    );
}

/** Each read has made its answer, and they stand as the reads do. */
function inOrder<Answers>(answers: unknown[]): Answers {
  return answers as Answers;
}
