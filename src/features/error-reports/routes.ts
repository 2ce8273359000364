import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { answerError } from '#api/errors.ts';
import { AppError } from '#lib/app-error.ts';
import { isLetThrough, retryAfterSeconds } from '#middleware/flood-limit.ts';
import { readAtMost } from '#middleware/json-bodies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';

/** The SDK sends replays in parts of a few hundred kB. */
const maxEnvelopeBytes = 1024 * 1024;

/** The SDK's media types; it sends bytes without one. */
const mediaTypes = ['', 'text/plain', 'application/x-sentry-envelope'];

/**
 * /api/error-reports: forwards the browser's error reports to Sentry, so that the content security
 * policy can limit connections to our own origin.
 */
export const errorReports = new Hono<HonoEnv>().post(
  '/',
  describe({
    summary: msg`Forwards an error report from our own pages; without error reporting, there is nothing at this address`,
    answers: { 200: null },
    errors: ['not_found'],
    envelope: 'application/x-sentry-envelope',
  }),
  async (c) => {
    const { sentryDsn } = c.get('env');
    if (sentryDsn === null) {
      return answerError(c, new AppError('not_found'));
    }
    if (!(await isLetThrough(c, 'reports'))) {
      throw new AppError('rate_limited', { retryAfterSeconds });
    }
    const [mediaType = ''] = c.req.header('Content-Type')?.split(';', 1) ?? [];
    if (!mediaTypes.includes(mediaType.trim().toLowerCase())) {
      throw new AppError('unsupported_media_type');
    }
    const envelope = await readAtMost(c.req.raw.body, maxEnvelopeBytes);
    if (!isForUs(sentryDsn, envelope)) {
      throw new AppError('malformed_body');
    }
    const { status, headers } = await forwardEnvelope(sentryDsn, envelope);
    for (const [name, value] of Object.entries(headers)) {
      c.header(name, value);
    }
    if (status !== null && status >= 200 && status < 300) {
      return c.body(null, 200);
    }
    c.get('ctx').observe.log('report_not_forwarded', { status: status ?? 'none' });
    // Not thrown, because a failure to reach Sentry must not be reported to Sentry.
    return answerError(c, refusalOf(status));
  },
);

function refusalOf(status: number | null): AppError {
  if (status === 429) {
    return new AppError('rate_limited');
  }
  return new AppError(
    status !== null && status >= 400 && status < 500 ? 'malformed_body' : 'unavailable',
  );
}

const timeoutMs = 5_000;
/** The longest first line that an envelope can have. */
const maxHeaderBytes = 16 * 1024;
/** The headers by which Sentry tells the SDK its rate limits. */
const passedOn = ['Retry-After', 'X-Sentry-Rate-Limits'];

/** Whether an envelope is for our own project, so that no one can report elsewhere through us. */
function isForUs(dsn: string, envelope: Uint8Array): boolean {
  const end = envelope.subarray(0, maxHeaderBytes).indexOf(10);
  if (end === -1) {
    return false;
  }
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(envelope.subarray(0, end)));
    const theirs = URL.parse(String(Object(header).dsn));
    const ours = new URL(dsn);
    return (['protocol', 'username', 'password', 'host', 'pathname'] as const).every(
      (part) => theirs?.[part] === ours[part],
    );
  } catch {
    return false;
  }
}

/**
 * Forwards an envelope to Sentry without cookies, address or headers. Never throws.
 *
 * @returns the status, null without an answer, and headers that say when to try again
 */
async function forwardEnvelope(dsn: string, envelope: Uint8Array<ArrayBuffer>) {
  const { origin, pathname } = new URL(dsn);
  try {
    const response = await fetch(`${origin}/api${pathname}/envelope/`, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'Content-Type': 'application/x-sentry-envelope' },
      body: envelope,
    });
    await response.body?.cancel();
    const headers = passedOn.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status: response.status, headers: Object.fromEntries(headers) };
  } catch {
    return { status: null, headers: {} };
  }
}
