import 'server-only';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isOutOfReach } from '#db/errors.ts';
import { errorMessages } from '#i18n/errors.ts';
import { i18nFor } from '#i18n/server.ts';
import { validationMessages } from '#i18n/validation.ts';
import { AppError, type ErrorCode } from '#lib/app-error.ts';
import { languageOf } from '#middleware/language.ts';
import { fail, type HonoEnv } from '#middleware/request-context.ts';
import type { ErrorBody } from './error-body.ts';

/** The HTTP status of each code. */
export const statusOf = {
  account_not_found: 404,
  address_bounced: 422,
  address_complained: 422,
  address_taken: 422,
  body_too_large: 413,
  cookies_too_large: 431,
  csrf_failed: 403,
  email_not_verified: 403,
  idempotency_key_reused: 422,
  internal: 500,
  invalid_state: 400,
  link_invalid: 400,
  mail_unavailable: 503,
  malformed_body: 400,
  method_not_allowed: 405,
  misdirected: 421,
  not_found: 404,
  proof_required: 403,
  rate_limited: 429,
  signature_invalid: 401,
  unauthenticated: 401,
  unavailable: 503,
  unsupported_media_type: 415,
  url_too_long: 414,
  validation_failed: 400,
} satisfies Record<ErrorCode, ContentfulStatusCode>;

/** Answers a failure: the one body that every error of the API has, in the request's language. */
export function answerError(c: Context<HonoEnv>, error: AppError): Response {
  const i18n = i18nFor(languageOf(c));
  const fields = Object.entries(error.fields ?? {}).map(
    ([field, codes]) => [field, codes.map((code) => i18n._(validationMessages[code]))] as const,
  );
  const message = i18n._(errorMessages[error.code]);
  const body: ErrorBody = {
    code: error.code,
    message,
    // What the error dialog says of it: see the table of the product.
    ...(statusOf[error.code] === 422 && { errors: [message] }),
    ...(fields.length > 0 && {
      errors: fields.flatMap(([, messages]) => messages),
      // Not by assignment: a field of the request may be called __proto__.
      fields: Object.fromEntries(fields),
    }),
    request_id: c.get('requestId'),
  };
  if (error.retryAfterSeconds !== undefined) {
    c.header('Retry-After', String(error.retryAfterSeconds));
  }
  return c.json(body, statusOf[error.code]);
}

/** Answers whatever was thrown. What nobody expected is logged in full, reported, and told as `internal` with the request id. */
export function onError(error: unknown, c: Context<HonoEnv>): Response {
  const appError = toAppError(error);
  if (statusOf[appError.code] >= 500) {
    fail(c, error);
  }
  return answerError(c, appError);
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) {
    return error;
  }
  // Hono's validator says so of JSON that cannot be parsed.
  if (error instanceof HTTPException && error.status === 400) {
    return new AppError('malformed_body', { cause: error });
  }
  return new AppError(isOutOfReach(error) ? 'unavailable' : 'internal', { cause: error });
}
