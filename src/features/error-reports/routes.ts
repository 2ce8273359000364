import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { answerError } from '#api/errors.ts';
import { AppError } from '#lib/app-error.ts';
import { isLetThrough, retryAfterSeconds } from '#middleware/flood-limit.ts';
import { readAtMost } from '#middleware/json-bodies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { forwardEnvelope, isForUs } from './forward-envelope.ts';

/** A replay comes in parts of some hundred kB. */
const maxEnvelopeBytes = 1024 * 1024;

/** What the SDK sends: it names no type where it sends bytes. */
const mediaTypes = ['', 'text/plain', 'application/x-sentry-envelope'];

/**
 * /api/error-reports: the way of the browser's error reports to Sentry, through our own origin, so that the content security policy
 * lets browsers speak to nobody else.
 */
export const errorReports = new Hono<HonoEnv>().post(
  '/',
  describe({
    summary: msg`Hands an error report of our own pages on; without error reporting there is nothing at this address`,
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
    // Answered and not thrown: what goes wrong on the way to Sentry is not reported to Sentry.
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
