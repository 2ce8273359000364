import 'server-only';
import { and, eq, gt, isNotNull } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { courses } from '#db/schema/courses.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { undeliverableAddresses } from '#db/schema/undeliverable-addresses.ts';
import { users } from '#db/schema/users.ts';
import type { CourseType, Locale, UndeliverableReason } from '#db/values.ts';
import { AppError } from '#lib/app-error.ts';
import { hashToken, isToken } from '#lib/tokens.ts';
import { isLiveSession } from './live-sessions.ts';

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
  /** The address that is to take the place of `email` once its link is clicked; null when none is waiting. */
  pendingEmail: string | null;
  /** Why no more mail goes to `email`; null when it does. */
  undeliverable: UndeliverableReason | null;
  avatarUrl: string | null;
  language: Locale;
  createdAt: Date;
  /** Null exactly while the user has no course. */
  selectedCourse: { id: string; name: string; courseType: CourseType } | null;
  /** The session of this request. It began with a proof of who this is: by mail or by Google. */
  session: { id: string; createdAt: Date };
};

/** What a verb for signed-in users gets: they act for `viewer` and nobody else. */
export type ViewerContext = Context & { viewer: Viewer };

/**
 * Who a session cookie belongs to, in one query. Fails closed: whoever cannot be looked up is not signed in.
 *
 * @param token the cookie's value, of any shape
 * @returns null when the session does not exist, has expired, or its user is not verified
 * @throws AppError `unavailable` when the database does not answer
 */
export async function findViewer(ctx: Context, token: unknown): Promise<Viewer | null> {
  if (!isToken(token)) {
    return null;
  }
  const now = ctx.now();
  const tokenHash = await hashToken(token);
  try {
    const row = await ctx.db
      .select({
        viewer: {
          id: users.id,
          firstName: users.firstName,
          lastName: users.lastName,
          email: users.email,
          emailCanonical: users.emailCanonical,
          pendingEmail: links.newEmail,
          undeliverable: undeliverableAddresses.reason,
          avatarUrl: users.avatarUrl,
          language: users.language,
          createdAt: users.createdAt,
        },
        selectedCourse: { id: courses.id, name: courses.name, courseType: courses.courseType },
        session: { id: sessions.id, createdAt: sessions.createdAt },
        lastSeenAt: sessions.lastSeenAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoin(courses, and(eq(courses.ownerId, users.id), eq(courses.id, users.selectedCourseId)))
      .leftJoin(
        undeliverableAddresses,
        eq(undeliverableAddresses.emailCanonical, users.emailCanonical),
      )
      .leftJoin(
        links,
        and(
          eq(links.userId, users.id),
          eq(links.purpose, 'address_change'),
          gt(links.expiresAt, now),
        ),
      )
      .where(
        and(
          eq(sessions.tokenHash, tokenHash),
          isLiveSession(now),
          isNotNull(users.emailVerifiedAt),
        ),
      )
      .get();
    if (row === undefined) {
      ctx.log('session_refused');
      return null;
    }
    ctx.comesFrom(row.viewer);
    if (now.getTime() - row.lastSeenAt.getTime() >= lastSeenPrecisionMs) {
      await ctx.db
        .update(sessions)
        .set({ lastSeenAt: now })
        .where(eq(sessions.tokenHash, tokenHash));
    }
    return { ...row.viewer, selectedCourse: row.selectedCourse, session: row.session };
  } catch (cause) {
    throw new AppError('unavailable', { cause });
  }
}
