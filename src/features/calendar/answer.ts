import 'server-only';
import type { Context } from '#context.ts';
import { readableName } from '#lib/text.ts';
import { type Calendar, findFeed, findFile } from './find-calendars.ts';

const filePattern = /^\/c\/([^/]+)\/calendar\.ics$/;

/** How long programs and caches may keep an answer: one for everyone, and a personal one. */
const cacheControls = { file: 'public, max-age=300', feed: 'private, max-age=900' } as const;

/**
 * Answers a request for a calendar, by GET or HEAD. Every wrong address gets the same empty 404.
 *
 * @param knownTags the header `If-None-Match`, of a bounded length
 */
export async function answerCalendar(
  ctx: Context,
  { method, url }: Request,
  knownTags: string,
): Promise<Response> {
  const { pathname } = new URL(url);
  const [, slug] = filePattern.exec(pathname) ?? [];
  const calendar = await (slug === undefined ? findFeed(ctx, pathname) : findFile(ctx, slug));
  if (calendar === null) {
    return new Response(null, { status: 404 });
  }
  const { writeCalendar } = await import('./write-calendar.ts');
  const body = new TextEncoder().encode(writeCalendar(calendar));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const tag = `"${digest.toHex().slice(0, 32)}"`;
  const headers = new Headers({
    ETag: tag,
    'Cache-Control': slug === undefined ? cacheControls.feed : cacheControls.file,
    ...lastModified(calendar),
  });
  if (isKnown(knownTags, tag)) {
    return new Response(null, { status: 304, headers });
  }
  const fileName = (slug !== undefined && readableName(calendar.name)) || 'lectern';
  headers.set('Content-Type', 'text/calendar; charset=utf-8');
  headers.set('Content-Disposition', `attachment; filename="${fileName}.ics"`);
  headers.set('Content-Length', String(body.length));
  return new Response(method === 'HEAD' ? null : body, { headers });
}

/** Whether a header names a tag, which a cache that has compressed the answer made weak. */
function isKnown(header: string, tag: string): boolean {
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}

/** For information: leaving things out makes a calendar older, so no 304 depends on it. */
function lastModified({ entries }: Calendar): { 'Last-Modified'?: string } {
  const times = entries.map(({ updatedAt }) => updatedAt.getTime());
  return times.length === 0
    ? {}
    : { 'Last-Modified': new Date(times.reduce((a, b) => Math.max(a, b))).toUTCString() };
}
