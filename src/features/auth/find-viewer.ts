import 'server-only';
import { and, eq, gt, isNotNull } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { courses } from '#db/schema/courses.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import type { CourseType, Locale } from '#db/values.ts';
import { AppError } from '#lib/app-error.ts';
import { hashToken, isToken } from '#lib/tokens.ts';

const daySeconds = 24 * 60 * 60;
/** Without a visit a session ends after this. */
const idleLifetimeSeconds = 30 * daySeconds;
/** However often it is used, a session ends after this; the cookie is kept as long. */
export const sessionLifetimeSeconds = 90 * daySeconds;
/** A visit is written down at most this often. */
const lastSeenPrecisionSeconds = daySeconds;

/** The signed-in user of a request, with what every signed-in page shows. */
export type Viewer = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  language: Locale;
  createdAt: Date;
  /** Null exactly while the user has no course. */
  selectedCourse: { id: string; name: string; courseType: CourseType } | null;
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
          language: users.language,
          createdAt: users.createdAt,
        },
        selectedCourse: { id: courses.id, name: courses.name, courseType: courses.courseType },
        lastSeenAt: sessions.lastSeenAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoin(courses, and(eq(courses.ownerId, users.id), eq(courses.id, users.selectedCourseId)))
      .where(
        and(
          eq(sessions.tokenHash, tokenHash),
          gt(sessions.lastSeenAt, secondsBefore(now, idleLifetimeSeconds)),
          gt(sessions.createdAt, secondsBefore(now, sessionLifetimeSeconds)),
          isNotNull(users.emailVerifiedAt),
        ),
      )
      .get();
    if (row === undefined) {
      return null;
    }
    if (row.lastSeenAt <= secondsBefore(now, lastSeenPrecisionSeconds)) {
      await ctx.db
        .update(sessions)
        .set({ lastSeenAt: now })
        .where(eq(sessions.tokenHash, tokenHash));
    }
    return { ...row.viewer, selectedCourse: row.selectedCourse };
  } catch (cause) {
    throw new AppError('unavailable', { cause });
  }
}

function secondsBefore(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() - seconds * 1000);
}
