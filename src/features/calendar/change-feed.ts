import 'server-only';
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import { calendarFeeds } from '#db/schema/calendar-feeds.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { sealLink } from '#lib/signed-links.ts';
import { calendarPaths, webcalOf } from './addresses.ts';
import type { CalendarFeed } from './schema.ts';

/** The version of the viewer's feed; null while it is off. */
export function findOwnFeed(_ctx: Context, userId: SQL) {
  return query({ rows: ownFeed({ userId }) }, ({ rows: [row] }) =>
    row === undefined ? null : feedOf(row.ownerId, row.version),
  );
}

const ownFeed = prepared(({ userId }: Given<'userId'>) =>
  db
    .select({ ownerId: calendarFeeds.ownerId, version: calendarFeeds.version })
    .from(calendarFeeds)
    .where(and(eq(calendarFeeds.ownerId, userId), isNotNull(calendarFeeds.enabledAt))),
);

function feedOf(id: string, linkVersion: number): Feed {
  return { kind: 'ownerFeed', id, linkVersion };
}

/** The address of the viewer's feed. */
export async function toCalendarFeed(
  ctx: Pick<Context, 'config'>,
  feed: Feed | null,
): Promise<CalendarFeed> {
  if (feed === null) {
    return { url: null, webcal_url: null };
  }
  const url = await feedAddress(ctx, feed);
  return { url, webcal_url: webcalOf(url) };
}

/** Switches the viewer's feed on, by a new address. The one before ends. */
export async function renewFeed(ctx: ViewerContext): Promise<CalendarFeed> {
  const ownerId = ctx.viewer.id;
  const enabledAt = ctx.now();
  const {
    rows: [feed],
  } = await ask(ctx, {
    rows: db
      .insert(calendarFeeds)
      .values({ ownerId, version: 1, enabledAt })
      .onConflictDoUpdate({
        target: calendarFeeds.ownerId,
        set: { version: sql`${calendarFeeds.version} + 1`, enabledAt },
      })
      .returning({ version: calendarFeeds.version }),
  });
  ctx.observe.log('calendar_feed_changed', { userId: ownerId, is_on: true });
  return toCalendarFeed(ctx, feed ? feedOf(ownerId, feed.version) : null);
}

/** Switches the viewer's feed off. Its row stays, so that no earlier address ever works again. */
export async function endFeed(ctx: ViewerContext): Promise<void> {
  const ownerId = ctx.viewer.id;
  const { ended } = await ask(ctx, {
    ended: db
      .update(calendarFeeds)
      .set({ enabledAt: null })
      .where(and(eq(calendarFeeds.ownerId, ownerId), isNotNull(calendarFeeds.enabledAt)))
      .returning({ version: calendarFeeds.version }),
  });
  if (ended.length > 0) {
    ctx.observe.log('calendar_feed_changed', { userId: ownerId, is_on: false });
  }
}

/** The feed of a person by the version of their links, or of an instructor by that of the feed. */
type Feed = { kind: 'personFeed' | 'ownerFeed'; id: string; linkVersion: number };

export async function feedAddress(ctx: Pick<Context, 'config'>, feed: Feed): Promise<string> {
  const name = await sealLink(ctx, feed.kind, feed);
  return `${ctx.config.appOrigin}${calendarPaths.feed(name)}`;
}
