import 'server-only';
import { and, eq, gte, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { withPlainDigits } from '#lib/text.ts';
import { hashToken } from '#lib/tokens.ts';
import { hashCode, isLiveAttempt, maxTries } from './codes.ts';
import { findLinkToUse, linkColumns, linkRows } from './find-link.ts';
import { fitsItsUser, isLiveLink } from './live-links-and-sessions.ts';
import type { SignInDevice } from './new-session.ts';
import { spendLink } from './spend-link.ts';

/**
 * Uses the code of a login or verification email, in the browser that asked for the email, and
 * signs it in: the same as a click on the link in that email.
 *
 * One batch compares the code, and counts a wrong one: however many requests are sent at once, an
 * attempt has `maxTries` tries. The last one deletes the link too.
 *
 * @param code unchecked; anything but six digits, with or without spaces, is a wrong code
 * @param attempt the token of the browser's attempt cookie; null without one
 * @returns the token for the session cookie
 * @throws AppError `link_invalid` for a wrong code; `code_used_up` if the attempt has ended, by its
 *   last try as well, or if the browser has none; `rate_limited`
 */
export async function confirmCode(
  ctx: Context,
  { code, attempt }: { code: unknown; attempt: string | null },
  device: SignInDevice,
): Promise<string> {
  const attemptHash = attempt === null ? '' : await hashToken(attempt);
  const perNetwork = await limitOn(ctx, [{ limit: 'codes_per_ip' }], 'allow');
  const {
    rows: [link],
    usage,
  } = await ask(ctx, { rows: attemptRows(ctx, attemptHash), usage: perNetwork.count() });
  refuseFull(ctx, usage.full);
  if (attempt === null || link === undefined) {
    ctx.observe.log('code_refused');
    throw new AppError('code_used_up');
  }
  const { userId, purpose } = link;
  const codeHash = await hashCode(ctx, link.id, attempt, digitsOf(code));
  const perAddress = await limitOn(
    ctx,
    [{ limit: 'codes_per_address', subject: link.emailCanonical }],
    'allow',
  );
  const isTried = and(
    eq(links.id, link.id),
    isLiveAttempt(ctx, attemptHash),
    sql`${perAddress.hasRoom}`,
  );
  const {
    sessionToken,
    answers: {
      counted: [counted],
      perAddress: { full },
    },
  } = await spendLink(ctx, link, device, {
    by: 'code',
    proof: sql`${and(isTried, eq(links.codeHash, codeHash))}`,
    after: {
      // Finds no row if the code was right, because the link is gone.
      counted: db
        .update(links)
        .set({ codeTries: sql`${links.codeTries} + 1` })
        .where(isTried)
        .returning({ tries: links.codeTries }),
      ended: db.delete(links).where(and(eq(links.id, link.id), gte(links.codeTries, maxTries))),
      perAddress: perAddress.count(),
    },
  });
  refuseFull(ctx, full);
  if (sessionToken !== null) {
    return sessionToken;
  }
  ctx.observe.log('code_refused', { userId, purpose, tries: counted?.tries });
  const isOver = counted === undefined || counted.tries >= maxTries;
  throw new AppError(isOver ? 'code_used_up' : 'link_invalid');
}

/** The query for the link of an attempt whose code can still be used. */
function attemptRows(ctx: Context, attemptHash: string) {
  return db
    .select({ id: links.id, ...linkColumns })
    .from(links)
    .innerJoin(users, eq(users.id, links.userId))
    .where(and(isLiveAttempt(ctx, attemptHash), fitsItsUser(ctx.now()), isLiveLink(ctx.now())));
}

/** Empty for anything that is no code. */
function digitsOf(code: unknown): string {
  const digits = typeof code === 'string' ? withPlainDigits(code).replace(/\s/g, '') : '';
  return /^\d{6}$/.test(digits) ? digits : '';
}

/**
 * Uses an emailed link, in any browser, and signs it in.
 *
 * @returns the token for the session cookie
 * @throws what `findLinkToUse` throws
 */
export async function confirmLink(ctx: Context, token: unknown, device: SignInDevice) {
  const { link, tokenHash } = await findLinkToUse(ctx, token, linkRows);
  const { sessionToken } = await spendLink(ctx, link, device, {
    by: 'link',
    proof: eq(links.tokenHash, tokenHash),
    after: {},
  });
  if (sessionToken === null) {
    ctx.observe.log('link_refused', { userId: link.userId, purpose: link.purpose });
    throw new AppError('link_invalid');
  }
  return sessionToken;
}
