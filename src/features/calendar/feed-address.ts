import 'server-only';
import type { Context } from '#context.ts';
import { sealLink } from '#lib/signed-links.ts';
import { calendarPaths } from './addresses.ts';

/** The feed of a person by the version of their links, or of an instructor by that of the feed. */
export type Feed = { kind: 'personFeed' | 'ownerFeed'; id: string; linkVersion: number };

/** The address of a feed. */
export async function feedAddress(ctx: Pick<Context, 'config'>, feed: Feed): Promise<string> {
  const name = await sealLink(ctx, feed.kind, feed);
  return `${ctx.config.appOrigin}${calendarPaths.feed(name)}`;
}
