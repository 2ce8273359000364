import 'server-only';
import type { Context } from '#context.ts';
import { openAddress } from './file-addresses.ts';
import { groupOf } from './file-types.ts';
import { rangeIn } from './ranges.ts';
import { reach } from './store.ts';

/**
 * How long browsers and caches keep an answer: for readers alone, and for everyone, where a picture
 * that was removed must not live on.
 */
const cacheControls = {
  file: 'private, max-age=86400, immutable',
  picture: 'public, max-age=86400',
} as const;

/**
 * Answers a GET or HEAD for a file by its signed address, or for a picture, which everyone can see.
 * It asks R2 alone: neither cookies nor the database.
 *
 * @throws AppError `files_unavailable` if R2 fails
 */
export async function answerFile(ctx: Context, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, picture] = /^\/(pictures\/[a-z0-9]{26})$/.exec(pathname) ?? [];
  const key = picture ?? (await openAddress(ctx, pathname));
  if (key === null) {
    return new Response(null, { status: 403 });
  }
  const object = ctx.files && (await reach(ctx.files.head(key)));
  if (object === null || ctx.files === null) {
    return new Response(null, { status: 404 });
  }
  const { httpEtag, size, httpMetadata } = object;
  const contentType = httpMetadata?.contentType ?? 'application/octet-stream';
  const headers = new Headers({
    'Content-Type': /^text\//.test(contentType) ? `${contentType}; charset=utf-8` : contentType,
    'Content-Disposition': dispositionOf(contentType, pathname),
    'Cache-Control': picture === undefined ? cacheControls.file : cacheControls.picture,
    'Accept-Ranges': 'bytes',
    ETag: httpEtag,
  });
  const known = (request.headers.get('If-None-Match') ?? '').slice(0, 255);
  if (known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === httpEtag)) {
    return new Response(null, { status: 304, headers });
  }
  // A range of another version would not fit what the client has; HEAD has none (RFC 9110, 14.2).
  const condition = request.headers.get('If-Range');
  const isSame = condition === null || condition === httpEtag;
  const mayBePart = isSame && request.method === 'GET';
  const range = mayBePart ? rangeIn(request.headers.get('Range'), size) : null;
  if (range === 'beyond') {
    headers.set('Content-Range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set('Content-Length', String(range?.length ?? size));
  if (range !== null) {
    const { offset, length } = range;
    headers.set('Content-Range', `bytes ${offset}-${offset + length - 1}/${size}`);
  }
  const status = range === null ? 200 : 206;
  if (request.method === 'HEAD') {
    return new Response(null, { status, headers });
  }
  const stored = await reach(ctx.files.get(key, range === null ? {} : { range }));
  return stored === null
    ? new Response(null, { status: 404 })
    : new Response(stored.body, { status, headers });
}

/** Only what browsers show without running anything in it is shown; the rest is a download. */
function dispositionOf(contentType: string, pathname: string): string {
  const group = groupOf(contentType);
  const isShown =
    group === 'image' ||
    group === 'audio' ||
    group === 'video' ||
    group === 'captions' ||
    contentType === 'application/pdf';
  // As it stands in the path: RFC 8187 takes the same escapes, but for the marks that end it.
  const name = (pathname.split('/').at(-1) ?? '').replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`;
}
