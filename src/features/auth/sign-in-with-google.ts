import 'server-only';
import { msg } from '@lingui/core/macro';
import { and, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation } from '#db/errors.ts';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import { personName } from '#features/accounts/schema.ts';
import { i18nFor } from '#i18n/server.ts';
import { type EmailAddress, parseEmail } from '#lib/email-address.ts';
import type { GoogleIdentity } from './google.ts';
import { rememberSignIn } from './known-sign-ins.ts';
import { endChange } from './links.ts';
import { sessionOwner } from './live-sessions.ts';
import { deleteReplaced, type NewSession, newSession, type SignInDevice } from './new-session.ts';

/** How a sign-in ended: with a token for the session cookie, or with a code that /login has words for. */
type GoogleSignIn = { sessionToken: string } | { error: 'email_not_verified' | 'auth_failed' };

/** Each can only lose against another request for the same person, and there are three things that one can do. */
const maxAttempts = 4;

/**
 * Signs a person in whom Google has identified.
 *
 * - Known by `sub`: their account, whatever address Google has for them by now.
 * - A verified account has the address: it is linked, if Google is the authority for the address.
 * - An unverified account has it: likewise, after everything unproven has gone from it, the names among it.
 * - Nobody has it: a new, verified account.
 *
 * An address change that waits in the account ends.
 *
 * What is read first is asserted again by each batch of writes; one that comes too late changes nothing, and all is read anew.
 */
export async function signInWithGoogle(
  ctx: Context,
  identity: GoogleIdentity,
  browser: SignInDevice,
): Promise<GoogleSignIn> {
  const address = parseEmail(identity.email);
  if (address === null) {
    return refuse(ctx, 'email_not_verified', 'address');
  }
  const session = await newSession(ctx, browser);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { known, found } = await signInKnownUser(ctx, identity, address, session);
    if (known !== null) {
      ctx.observe.log('google_signed_in', { userId: known, outcome: 'known' });
      return { sessionToken: session.token };
    }
    if (found !== null && found.googleSub !== identity.sub) {
      if (found.googleSub !== null) {
        return refuse(ctx, 'auth_failed', 'other_google_account', found.id);
      }
      if (!identity.isAuthority) {
        return refuse(ctx, 'email_not_verified', 'not_authority', found.id);
      }
    }
    const userId = await linkOrCreateUser(ctx, found, identity, address, session);
    if (userId !== null) {
      ctx.observe.log('google_signed_in', { userId, outcome: outcomeOf(found) });
      return { sessionToken: session.token };
    }
  }
  return refuse(ctx, 'auth_failed', 'contention');
}

type FoundUser = { id: string; googleSub: string | null; emailVerifiedAt: Date | null };

/**
 * Signs in whoever is known by `sub`, which is nearly everybody: the look-up and all that follows from it are one trip.
 *
 * @returns whose session was made; else who has the address, as far as anybody does
 */
async function signInKnownUser(
  ctx: Context,
  { sub, picture }: GoogleIdentity,
  address: EmailAddress,
  session: NewSession,
): Promise<{ known: string | null; found: FoundUser | null }> {
  const isKnown = and(eq(users.googleSub, sub), isNotNull(users.emailVerifiedAt));
  const { made, bySub, byAddress } = await ask(ctx, {
    made: insertSession(session, isKnown),
    picture: db.update(users).set({ avatarUrl: picture }).where(isKnown),
    replaced: deleteReplaced(session),
    remembered: rememberSignIn(ctx, session),
    bySub: db.select(foundColumns).from(users).where(eq(users.googleSub, sub)),
    byAddress: db
      .select(foundColumns)
      .from(users)
      .where(eq(users.emailCanonical, address.canonical)),
    change: endChange(inArray(links.userId, sessionOwner(session.tokenHash))),
  });
  return { known: made[0]?.userId ?? null, found: bySub[0] ?? byAddress[0] ?? null };
}

const foundColumns = {
  id: users.id,
  googleSub: users.googleSub,
  emailVerifiedAt: users.emailVerifiedAt,
};

function insertSession(session: NewSession, whose: SQL | undefined) {
  return db
    .insert(sessions)
    .select(db.select(session.selectFor(users.id)).from(users).where(whose))
    .returning({ userId: sessions.userId });
}

/** @returns whose session was made; null when another request was faster and all has to be read anew */
async function linkOrCreateUser(
  ctx: Context,
  found: FoundUser | null,
  identity: GoogleIdentity,
  address: EmailAddress,
  session: NewSession,
): Promise<string | null> {
  // Before the user is written: only as long as nothing is proven, so that whoever comes too late removes nothing.
  const unproven = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, found?.id ?? ''), isNull(users.emailVerifiedAt)));
  try {
    const { made } = await ask(ctx, {
      unselected: db
        .update(users)
        .set({ selectedCourseId: null })
        .where(inArray(users.id, unproven)),
      courses: db.delete(courses).where(inArray(courses.ownerId, unproven)),
      links: db.delete(links).where(inArray(links.userId, unproven)),
      sessions: db.delete(sessions).where(inArray(sessions.userId, unproven)),
      user: writeUser(ctx, found, identity, address),
      made: insertSession(session, eq(users.googleSub, identity.sub)),
      replaced: deleteReplaced(session),
      change: endChange(inArray(links.userId, sessionOwner(session.tokenHash))),
      remembered: rememberSignIn(ctx, session),
    });
    return made[0]?.userId ?? null;
  } catch (error) {
    if (
      isUniqueViolation(error, 'users.email_canonical') ||
      isUniqueViolation(error, 'users.google_sub')
    ) {
      return null;
    }
    throw error;
  }
}

/** Makes the row of the user what it has to be; nothing, when it is no longer what was found. */
function writeUser(
  ctx: Context,
  found: FoundUser | null,
  identity: GoogleIdentity,
  address: EmailAddress,
) {
  const google = { googleSub: identity.sub, avatarUrl: identity.picture };
  if (found !== null && !isUnproven(found)) {
    const isFree = and(isNull(users.googleSub), eq(users.emailCanonical, address.canonical));
    return db
      .update(users)
      .set(google)
      .where(and(eq(users.id, found.id), isNotNull(users.emailVerifiedAt), isFree));
  }
  const person = {
    ...namesOf(ctx, identity),
    ...google,
    email: address.address,
    emailCanonical: address.canonical,
    emailVerifiedAt: ctx.now(),
    language: ctx.request.locale,
  };
  return found === null
    ? db.insert(users).values({ ...person, id: crypto.randomUUID(), createdAt: ctx.now() })
    : db
        .update(users)
        .set(person)
        .where(and(eq(users.id, found.id), isNull(users.emailVerifiedAt)));
}

/** Somebody signed up with the address and never showed that it is theirs. */
function isUnproven(found: FoundUser | null): boolean {
  return found !== null && found.emailVerifiedAt === null;
}

/** The names that Google knows, as far as they are names by our rules; people can change them later. */
function namesOf(ctx: Context, { givenName, familyName, name, email }: GoogleIdentity) {
  const [firstWord = '', ...otherWords] = name.trim().split(/\s+/);
  const localPart = email.slice(0, email.indexOf('@')).replace(/[^\p{L}\p{M}]+/gu, ' ');
  return {
    firstName:
      nameAmong(givenName, firstWord, localPart) ?? i18nFor(ctx.request.locale)._(msg`Instructor`),
    // Not everybody has one.
    lastName: nameAmong(familyName, otherWords.join(' ')) ?? '',
  };
}

function nameAmong(...candidates: string[]): string | null {
  const names = candidates.map((candidate) => personName('name_required').safeParse(candidate));
  return names.find(({ success }) => success)?.data ?? null;
}

function refuse(
  ctx: Context,
  error: 'email_not_verified' | 'auth_failed',
  reason: string,
  userId?: string,
): GoogleSignIn {
  ctx.observe.log('google_refused', { reason, ...(userId !== undefined && { userId }) });
  return { error };
}

function outcomeOf(found: FoundUser | null): string {
  if (found === null) {
    return 'new';
  }
  return isUnproven(found) ? 'adopted' : 'linked';
}
