import 'server-only';
import { msg } from '@lingui/core/macro';
import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation } from '#db/errors.ts';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { type ParsedEmail, parseEmail } from '#lib/email-address.ts';
import { pick } from '#lib/to-json.ts';
import { personName } from './account-schema.ts';
import type { GoogleIdentity } from './google.ts';
import { rememberSignIn } from './known-sign-ins.ts';
import { endChange, sessionOwner } from './live-links-and-sessions.ts';
import { deleteReplaced, type NewSession, newSession, type SignInDevice } from './new-session.ts';

/** The result of a sign-in: a token for the session cookie, or an error code for /login. */
type GoogleSignIn = { sessionToken: string } | { error: 'email_not_verified' | 'auth_failed' };

/** An attempt fails only if another request changed the account, which can happen in three ways. */
const maxAttempts = 4;

/**
 * Signs in the user that Google has identified.
 *
 * - An account has the `sub`: signs in to it, even if Google has another address now.
 * - A verified account has the address: links it, if Google is the authority for the address.
 * - An unverified account has it: likewise, after removing all unproven data, names included.
 * - No account has it: creates a verified account.
 *
 * A pending address change of the account is canceled.
 *
 * Each batch of writes repeats the conditions of the first read; if they fail, it starts over.
 */
export async function signInWithGoogle(
  ctx: Context,
  identity: GoogleIdentity,
  device: SignInDevice,
): Promise<GoogleSignIn> {
  const address = parseEmail(identity.email);
  if (address === null) {
    return failure(ctx, 'email_not_verified', 'address');
  }
  const session = await newSession(ctx, device);
  const signIn: NewSignIn = { identity, address, session };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { signedInId, user } = await signInKnownUser(ctx, signIn);
    if (signedInId !== null) {
      ctx.observe.log('google_signed_in', { userId: signedInId, outcome: 'known' });
      return { sessionToken: session.token };
    }
    if (user !== null && user.googleSub !== identity.sub) {
      if (user.googleSub !== null) {
        return failure(ctx, 'auth_failed', 'other_google_account', user.id);
      }
      if (!identity.isAuthority) {
        return failure(ctx, 'email_not_verified', 'not_authority', user.id);
      }
    }
    const userId = await linkOrCreateUser(ctx, user, signIn);
    if (userId !== null) {
      ctx.observe.log('google_signed_in', { userId, outcome: outcomeOf(user) });
      return { sessionToken: session.token };
    }
  }
  return failure(ctx, 'auth_failed', 'contention');
}

/** What is known of the one who signs in, and their session. */
type NewSignIn = { identity: GoogleIdentity; address: ParsedEmail; session: NewSession };
type GoogleUser = { id: string; googleSub: string | null; emailVerifiedAt: Date | null };

/**
 * Signs in the user with this `sub` in one trip, which is enough for most sign-ins.
 *
 * @returns the user who was signed in; otherwise the account with the `sub` or the address, if any
 */
async function signInKnownUser(
  ctx: Context,
  { identity: { sub, picture }, address, session }: NewSignIn,
): Promise<{ signedInId: string | null; user: GoogleUser | null }> {
  const isKnown = and(eq(users.googleSub, sub), isNotNull(users.emailVerifiedAt));
  const { rows, bySub, byAddress } = await ask(ctx, {
    rows: insertSession(session, isKnown),
    picture: db
      .update(users)
      .set({ avatarUrl: besidePhoto(picture) })
      .where(isKnown),
    replaced: deleteReplaced(session),
    remembered: rememberSignIn(ctx, session),
    bySub: db.select(userColumns).from(users).where(eq(users.googleSub, sub)),
    byAddress: db
      .select(userColumns)
      .from(users)
      .where(eq(users.emailCanonical, address.canonical)),
    change: endChange(inArray(links.userId, sessionOwner(session.tokenHash))),
  });
  return { signedInId: rows[0]?.userId ?? null, user: bySub[0] ?? byAddress[0] ?? null };
}

const userColumns = pick(users, ['id', 'googleSub', 'emailVerifiedAt']);

function insertSession(session: NewSession, whose: SQL | undefined) {
  return db
    .insert(sessions)
    .select(db.select(session.selectFor(users.id)).from(users).where(whose))
    .returning({ userId: sessions.userId });
}

/** @returns the user who was signed in; null if another request was faster */
async function linkOrCreateUser(
  ctx: Context,
  user: GoogleUser | null,
  signIn: NewSignIn,
): Promise<string | null> {
  const { identity, session } = signIn;
  // Before the user is written and only while unverified, so that a late request deletes nothing.
  const unproven = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, user?.id ?? ''), isNull(users.emailVerifiedAt)));
  try {
    const { rows } = await ask(ctx, {
      unselected: db
        .update(users)
        .set({ selectedCourseId: null })
        .where(inArray(users.id, unproven)),
      courses: db.delete(courses).where(inArray(courses.ownerId, unproven)),
      links: db.delete(links).where(inArray(links.userId, unproven)),
      sessions: db.delete(sessions).where(inArray(sessions.userId, unproven)),
      user: writeUser(ctx, user, signIn),
      rows: insertSession(session, eq(users.googleSub, identity.sub)),
      replaced: deleteReplaced(session),
      change: endChange(inArray(links.userId, sessionOwner(session.tokenHash))),
      remembered: rememberSignIn(ctx, session),
    });
    return rows[0]?.userId ?? null;
  } catch (error) {
    const columns = ['users.email_canonical', 'users.google_sub'] as const;
    if (columns.some((column) => isUniqueViolation(error, column))) {
      return null;
    }
    throw error;
  }
}

/** Writes the user's row, unless it has changed since it was read. */
function writeUser(ctx: Context, user: GoogleUser | null, { identity, address }: NewSignIn) {
  const google = { googleSub: identity.sub, avatarUrl: identity.picture };
  if (user !== null && !isUnproven(user)) {
    const isFree = and(isNull(users.googleSub), eq(users.emailCanonical, address.canonical));
    return db
      .update(users)
      .set({ ...google, avatarUrl: besidePhoto(identity.picture) })
      .where(and(eq(users.id, user.id), isNotNull(users.emailVerifiedAt), isFree));
  }
  const person = {
    ...namesOf(ctx, identity),
    ...google,
    email: address.address,
    emailCanonical: address.canonical,
    emailVerifiedAt: ctx.now(),
    language: ctx.request.locale,
  };
  return user === null
    ? db.insert(users).values({ ...person, id: crypto.randomUUID(), createdAt: ctx.now() })
    : db
        .update(users)
        .set(person)
        .where(and(eq(users.id, user.id), isNull(users.emailVerifiedAt)));
}

/** Google's picture, unless there is a photo of the user's own: see files/pictures.ts. */
function besidePhoto(picture: string | null) {
  return sql`CASE WHEN ${users.avatarUrl} LIKE '/pictures/%' THEN ${users.avatarUrl}
    ELSE ${picture} END`;
}

function isUnproven(user: GoogleUser | null): boolean {
  return user !== null && user.emailVerifiedAt === null;
}

/** Google's names, if they are valid by our rules; users can change them later. */
function namesOf(ctx: Context, { givenName, familyName, name, email }: GoogleIdentity) {
  const [firstWord = '', ...otherWords] = name.trim().split(/\s+/);
  const localPart = email.slice(0, email.indexOf('@')).replace(/[^\p{L}\p{M}]+/gu, ' ');
  return {
    firstName: nameAmong(givenName, firstWord, localPart) ?? ctx.request.i18n._(msg`Instructor`),
    // Optional: not all people have one.
    lastName: nameAmong(familyName, otherWords.join(' ')) ?? '',
  };
}

function nameAmong(...candidates: string[]): string | null {
  const names = candidates.map((candidate) => personName('name_required').safeParse(candidate));
  return names.find(({ success }) => success)?.data ?? null;
}

function failure(
  ctx: Context,
  error: 'email_not_verified' | 'auth_failed',
  reason: string,
  userId?: string,
): GoogleSignIn {
  ctx.observe.log('google_refused', { reason, ...(userId !== undefined && { userId }) });
  return { error };
}

function outcomeOf(user: GoogleUser | null): string {
  if (user === null) {
    return 'new';
  }
  return isUnproven(user) ? 'adopted' : 'linked';
}
