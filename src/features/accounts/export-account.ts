import 'server-only';
import { asc, eq } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { addressRestores } from '#db/schema/address-restores.ts';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns } from '#db/schema/known-sign-ins.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { originKindOf } from '#features/auth/known-sign-ins.ts';
import { requireRecentLogin } from '#features/auth/require-recent-login.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { requireOwnAccount } from './require-own-account.ts';
import type { AccountExport } from './schema.ts';

/**
 * Everything stored about the viewer except secrets: hashes of sessions, links and known sign-ins
 * are not exported. Counters are left out, because they hold only numbers under keyed hashes.
 *
 * @throws AppError `not_found`, `proof_required`, `rate_limited`
 */
export async function exportAccount(ctx: ViewerContext, id: string): Promise<AccountExport> {
  requireOwnAccount(ctx, id);
  requireRecentLogin(ctx);
  const { viewer } = ctx;
  const use = { limit: 'exports_per_user', subject: viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'go on');
  const own = await ask(ctx, {
    users: db.select().from(users).where(eq(users.id, viewer.id)),
    courses: db
      .select()
      .from(courses)
      .where(eq(courses.ownerId, viewer.id))
      .orderBy(asc(courses.createdAt), asc(courses.id)),
    sessions: db.select().from(sessions).where(eq(sessions.userId, viewer.id)),
    links: db.select().from(links).where(eq(links.userId, viewer.id)),
    restores: db.select().from(addressRestores).where(eq(addressRestores.userId, viewer.id)),
    marks: db
      .select()
      .from(suppressedAddresses)
      .where(eq(suppressedAddresses.emailCanonical, viewer.emailCanonical)),
    signIns: db.select().from(knownSignIns).where(eq(knownSignIns.userId, viewer.id)),
    usage: limit.count(),
  });
  refuseFull(ctx, own.usage.full);
  const [user] = own.users;
  if (user === undefined) {
    throw new AppError('not_found');
  }
  ctx.observe.log('account_exported', { userId: viewer.id });
  return {
    exported_at: ctx.now().toISOString(),
    account: {
      id: user.id,
      first_name: user.firstName,
      last_name: user.lastName,
      email: user.email,
      email_canonical: user.emailCanonical,
      email_verified_at: user.emailVerifiedAt?.toISOString() ?? null,
      language: user.language,
      google_sub: user.googleSub,
      avatar: user.avatarUrl,
      selected_course_id: user.selectedCourseId,
      created_at: user.createdAt.toISOString(),
    },
    courses: own.courses.map((course) => ({
      id: course.id,
      name: course.name,
      course_type: course.courseType,
      idempotency_key: course.idempotencyKey,
      created_at: course.createdAt.toISOString(),
      updated_at: course.updatedAt.toISOString(),
    })),
    sessions: own.sessions.sort(byAge).map((session) => ({
      id: session.id,
      user_agent: session.userAgent,
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
    })),
    links: own.links.sort(byAge).map((link) => ({
      id: link.id,
      purpose: link.purpose,
      session_id: link.sessionId,
      email: link.newEmail ?? user.email,
      email_canonical: link.emailCanonical,
      created_at: link.createdAt.toISOString(),
      expires_at: link.expiresAt.toISOString(),
    })),
    address_restores: own.restores.sort(byAge).map((restore) => ({
      id: restore.id,
      email: restore.email,
      email_canonical: restore.emailCanonical,
      created_at: restore.createdAt.toISOString(),
      expires_at: restore.expiresAt.toISOString(),
    })),
    undeliverable_addresses: own.marks.map((mark) => ({
      email_canonical: mark.emailCanonical,
      reason: mark.reason,
      since: mark.since.toISOString(),
    })),
    known_sign_ins: own.signIns.map((signIn) => ({
      kind: originKindOf(signIn.origin),
      expires_at: signIn.expiresAt.toISOString(),
    })),
  };
}

/** Oldest first. Not in SQL: no index has this order, and the rows of one person are few. */
function byAge(one: { createdAt: Date }, other: { createdAt: Date }): number {
  return one.createdAt.getTime() - other.createdAt.getTime();
}
