import 'server-only';
import type { Context } from '#context.ts';
import { readLink, sealLink } from '#lib/signed-links.ts';

/**
 * What a link is for that gives more than a person's page. data: what is kept, which the page asks
 * a fresh email for. address: proves another mailbox. remove: in emails to people who were added.
 */
export type RightsPurpose = 'data' | 'address' | 'remove';

/** How long each works: what takes or erases everything, as long as reading an email takes. */
export const rightsLifetimeMs: Record<RightsPurpose, number> = {
  data: 10 * 60 * 1000,
  address: 24 * 60 * 60 * 1000,
  remove: 30 * 24 * 60 * 60 * 1000,
};

/** The address of the page of such a link. Not in paths.ts, because only emails have it. */
export async function rightsAddress(
  ctx: Pick<Context, 'config'>,
  purpose: RightsPurpose,
  link: { id: string; linkVersion: number; expiresAt: number },
): Promise<string> {
  return `${ctx.config.appOrigin}/p/${purpose}?token=${await sealLink(ctx, purpose, link)}`;
}

/** What such a link says, before its signature is checked; null for none, and for one that is over. */
export function readRightsLink(
  { now }: Pick<Context, 'now'>,
  purpose: RightsPurpose,
  token: unknown,
) {
  const link = readLink(purpose, token);
  return link !== null && link.expiresAt > now().getTime() ? link : null;
}
