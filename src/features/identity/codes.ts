import 'server-only';
import { and, eq, gt, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { links } from '#db/schema/sign-in.ts';
import { createCode, hashToken, sign } from '#lib/tokens.ts';
import type { MailSent } from './schema.ts';

/** How many wrong codes end an attempt. */
export const maxTries = 5;

/** The lifetime of a code, even if its link lives longer, and of the attempt cookie. */
export const codeLifetimeSeconds = 10 * 60;

/** A sent email, and the token for the attempt cookie of the browser that may use its code. */
export type Attempt = MailSent & { attempt: string };

/**
 * Makes the code of a link: the digits, which are never stored, and the columns that check them.
 *
 * @param attempt the token in the cookie of the browser that asked, the only one that can use it
 */
export async function newCode(ctx: Pick<Context, 'config'>, linkId: string, attempt: string) {
  const digits = createCode();
  const columns = {
    attemptHash: await hashToken(attempt),
    codeHash: await hashCode(ctx, linkId, attempt, digits),
  };
  return { digits, columns };
}

/**
 * Keyed, because a million codes are soon tried. The attempt's token, which is not stored, protects
 * the code even from someone who has both the database and the key. With the link's id, a code ends
 * with its link, even if the previous worker replaced it, which does not know these columns.
 */
export function hashCode(
  { config }: Pick<Context, 'config'>,
  linkId: string,
  attempt: string,
  digits: string,
): Promise<string> {
  return sign(`code:${linkId}:${attempt}:${digits}`, config.appSecret);
}

/** True for the link of an attempt while its code is valid. Combine it with `isLiveLink`. */
export function isLiveAttempt({ now }: Context, attemptHash: string): SQL | undefined {
  const oldest = new Date(now().getTime() - codeLifetimeSeconds * 1000);
  return and(eq(links.attemptHash, attemptHash), gt(links.createdAt, oldest));
}
