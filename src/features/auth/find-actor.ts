import 'server-only';
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import type { Locale, SuppressionReason } from '#db/values.ts';
import { AppError } from '#lib/app-error.ts';
import { hashToken, isToken } from '#lib/tokens.ts';
import { isLiveLink } from './links.ts';
import { isAskedByLiveSession, isLiveSession } from './live-sessions.ts';

/** A visit is written down at most this often. */
const lastSeenPrecisionMs = 24 * 60 * 60 * 1000;

/** The signed-in user of a request, with what every signed-in page shows. */
export type Viewer = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
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

/**
 * Reads what is the viewer's own, in the trip that finds out who that is. What the rows are read as
 * needs a viewer, so nothing of it is told to anyone else.
 *
 * @param userId whose rows these are, in SQL; null if nobody is signed in
 */
type OwnQuery<T> = (ctx: Context, userId: SQL) => Query<(viewer: Viewer) => T>;

/** Own queries by the names of their answers. */
export type OwnQueries<Answers> = { [Name in keyof Answers]: OwnQuery<Answers[Name]> };

/**
 * Who is acting: an instructor with a session, with the answers of what was read in the same trip, or
 * nobody. A participant with a link becomes a kind of its own, found by that link and not by a
 * session: what is asked of an instructor is not answered to it.
 */
export type Actor<Answers = unknown> =
  | { kind: 'instructor'; viewer: Viewer; answers: Answers }
  | { kind: 'nobody' };

/**
 * Who acts with a session cookie, and what else is read of theirs, all in one trip. Fails closed:
 * without an answer nobody is signed in.
 *
 * @param token the cookie's value, of any shape
 * @returns nobody when the session does not exist, has expired, or its user is not verified
 * @throws AppError `unavailable` when the database does not answer; anything that an answer throws
 */
export async function findActor<Answers>(
  ctx: Context,
  token: unknown,
  own: OwnQueries<Answers>,
): Promise<Actor<Answers>> {
  if (!isToken(token)) {
    return { kind: 'nobody' };
  }
  const now = ctx.now();
  const tokenHash = await hashToken(token);
  const userId = sql`(SELECT ${sessions.userId} FROM ${sessions} WHERE ${eq(sessions.tokenHash, tokenHash)})`;
  const queries = Object.entries<OwnQuery<unknown>>(own).map(
    ([name, of]) => [name, of(ctx, userId)] as const,
  );
  const { rows, answers } = await ask(ctx, {
    rows: viewerRow(ctx, tokenHash, now),
    answers: query(Object.fromEntries(queries), (named) => named),
  }).catch((cause: unknown) => {
    throw new AppError('unavailable', { cause });
  });
  const [row] = rows;
  if (row === undefined) {
    ctx.observe.log('session_refused');
    return { kind: 'nobody' };
  }
  const { sessionId, sessionCreatedAt, lastSeenAt, ...person } = row;
  const viewer = { ...person, session: { id: sessionId, createdAt: sessionCreatedAt } };
  ctx.observe.setReportedUser(viewer);
  if (now.getTime() - lastSeenAt.getTime() >= lastSeenPrecisionMs) {
    ctx.waitUntil(
      ask(ctx, {
        seen: db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.tokenHash, tokenHash)),
      }),
    );
  }
  const told = Object.entries(answers).map(([name, tell]) => [name, tell(viewer)]);
  // Each answer is that of the query with its name.
  return { kind: 'instructor', viewer, answers: Object.fromEntries(told) as Answers };
}

function viewerRow(ctx: Context, tokenHash: string, now: Date) {
  return db
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
      sessionId: sessions.id,
      sessionCreatedAt: sessions.createdAt,
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
