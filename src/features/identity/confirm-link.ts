import 'server-only';
import { eq } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { links } from '#db/schema/links.ts';
import { AppError } from '#lib/app-error.ts';
import { findLinkToUse, linkRows } from './find-link.ts';
import type { SignInDevice } from './new-session.ts';
import { spendLink } from './spend-link.ts';

/**
 * Uses an emailed link, in any browser, and signs it in.
 *
 * @returns the token for the session cookie
 * @throws what `findLinkToUse` throws
 */
export async function confirmLink(
  ctx: Context,
  token: unknown,
  device: SignInDevice,
): Promise<string> {
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
