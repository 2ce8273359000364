import 'server-only';
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, type Query, query, type RowFrom } from '#db/query.ts';
import { links, sessions } from '#db/schema/sign-in.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { hashToken, isToken } from '#lib/tokens.ts';
import { isAskedByLiveSession, isLiveLink, isLiveSession } from './live-links-and-sessions.ts';

/** The last visit is updated at most this often. */
const lastSeenPrecisionMs = 24 * 60 * 60 * 1000;

/** The signed-in user of a request, with what every signed-in page shows. */
export type Viewer = RowFrom<typeof viewerRow>;

/**
 * The context of verbs for signed-in users: who asks, and whose courses it is about. An instructor
 * has only their own so far, but the two are kept apart: every query names the owner, and limits,
 * feeds, news and authorship the viewer.
 */
export type ViewerContext = Context & { viewer: Viewer; ownerId: string };

/** Adds who asks to the context of a request. */
export function withViewer(ctx: Context, viewer: Viewer): ViewerContext {
  return { ...ctx, viewer, ownerId: viewer.id };
}

/**
 * Reads the viewer's own data in the trip that looks up the viewer; without one, it reads no rows.
 * Its statements are `prepared`, because pages wait for it.
 *
 * @param ownerId whose rows it reads, in SQL; null if signed out
 * @param userId who asks, for what is theirs alone, such as the course that they have selected
 */
type ViewerQuery<T> = (ctx: Context, ownerId: SQL, userId: SQL) => Query<T>;

/**
 * The same read for the API, which refuses with `not_found` what a page shows another page for.
 *
 * @throws AppError `not_found` without an answer
 */
export function orNotFound<T>(find: ViewerQuery<T | null>): ViewerQuery<T> {
  return (...given) => query({ answer: find(...given) }, ({ answer }) => requireFound(answer));
}

/** Viewer queries by the names of their results. */
export type ViewerQueries<Answers> = { [Name in keyof Answers]: ViewerQuery<Answers[Name]> };

/**
 * Looks up the user of a session cookie and runs their queries, in one trip. Fails closed: without
 * an answer from the database, no one is signed in. Participants are found by their link instead
 * (features/participant/find-participant.ts), so that they never get an instructor's results.
 *
 * @param token the unchecked value of the cookie
 * @returns null if the session does not exist or has expired, or its user is not verified
 * @throws AppError `unavailable` if the database fails; what the queries throw
 */
export async function findActor<Answers>(
  ctx: Context,
  token: unknown,
  viewerQueries: ViewerQueries<Answers>,
): Promise<{ viewer: Viewer; answers: Answers } | null> {
  if (!isToken(token)) {
    return null;
  }
  const now = ctx.now();
  const tokenHash = await hashToken(token);
  const userId = userOf({ tokenHash });
  const queries = Object.entries<ViewerQuery<unknown>>(viewerQueries).map(
    ([name, of]) => [name, readLater(of(ctx, userId, userId))] as const,
  );
  const { rows, answers } = await ask(ctx, {
    rows: viewerRow({ tokenHash, now }),
    answers: query(Object.fromEntries(queries), (results) => results),
  }).catch((cause: unknown) => {
    throw new AppError('unavailable', { cause });
  });
  const [viewer] = rows;
  if (viewer === undefined) {
    ctx.observe.log('session_refused');
    return null;
  }
  ctx.observe.setReportedUser(viewer);
  if (now.getTime() - viewer.session.lastSeenAt.getTime() >= lastSeenPrecisionMs) {
    ctx.waitUntil(
      ask(ctx, {
        seen: db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.tokenHash, tokenHash)),
      }),
    );
  }
  const named = Object.entries(answers).map(([name, read]) => [name, read()]);
  // Each result belongs to the query with its name.
  return { viewer, answers: Object.fromEntries(named) as Answers };
}

/** A query whose answer is made once there is a viewer: without one, it would refuse strangers. */
function readLater<T>(one: Query<T>): Query<() => T> {
  return {
    ...one,
    read(results) {
      const own = results.splice(0, one.statements().length);
      return () => one.read(own);
    },
  };
}

const userOf = fragment(
  ({ tokenHash }: Given<'tokenHash'>) =>
    sql`(SELECT ${sessions.userId} FROM ${sessions} WHERE ${eq(sessions.tokenHash, tokenHash)})`,
);

const viewerRow = prepared(({ tokenHash, now }: Given<'tokenHash' | 'now'>) =>
  db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      emailCanonical: users.emailCanonical,
      /** Will replace `email` once its link is used; null if no live session requested a change. */
      pendingEmail: links.newEmail,
      /** Why `email` is suppressed; null if it is not. */
      undeliverable: suppressedAddresses.reason,
      avatarUrl: users.avatarUrl,
      bio: users.bio,
      language: users.language,
      createdAt: users.createdAt,
      /** Whether they get the daily news of their cohorts by email. */
      rosterNews: users.rosterNews,
      /** Null if and only if the user has no course. */
      selectedCourseId: users.selectedCourseId,
      /** The session of this request, which began with a proof of identity: by email or by Google. */
      session: {
        id: sessions.id,
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
      },
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
        isAskedByLiveSession(now),
      ),
    )
    .where(
      and(eq(sessions.tokenHash, tokenHash), isLiveSession(now), isNotNull(users.emailVerifiedAt)),
    ),
);
