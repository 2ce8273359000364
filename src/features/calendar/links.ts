import 'server-only';
import type { Context } from '#context.ts';
import { isSameSecret, sign } from '#lib/tokens.ts';
import { calendarPaths } from './addresses.ts';

/**
 * The addresses of feeds. As the links of participants, each is an id and its signature, of which
 * nothing is stored. Their key is another one: a calendar's address opens nothing else.
 */

type Signed = Pick<Context, 'config'>;

/** Whose feed it is: of the person of an instructor, or of an instructor. */
export type FeedKind = 'p' | 'i';

/** Who, and what ends the address: the version of the person's links, or that of the feed. */
type Feed = { kind: FeedKind; id: string; version: number };

/** The address of a feed. */
export async function feedAddress(ctx: Signed, feed: Feed): Promise<string> {
  const name = `${feed.kind}-${feed.id}.${await feedMac(ctx, feed)}`;
  return `${ctx.config.appOrigin}${calendarPaths.feed(name)}`;
}

const feedPattern = /^\/calendar\/([pi])-([0-9a-f-]{36})\.([0-9a-f]{64})\.ics$/;

/** The parts of a path that may be that of a feed; null if it cannot be one. */
export function partsOfFeed(path: string): { kind: FeedKind; id: string; mac: string } | null {
  const [, kind, id, mac] = feedPattern.exec(path) ?? [];
  return id === undefined || mac === undefined ? null : { kind: kind === 'p' ? 'p' : 'i', id, mac };
}

/** Whether a signature is that of the feed's present address. */
export async function isSignedFeed(ctx: Signed, feed: Feed, mac: string): Promise<boolean> {
  return isSameSecret(mac, await feedMac(ctx, feed));
}

function feedMac({ config }: Signed, { kind, id, version }: Feed) {
  return sign(`calendar:${kind}:${id}:${version}`, config.appSecret, 'calendar links, version 1');
}
