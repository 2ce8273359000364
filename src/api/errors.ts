import 'server-only';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { isOutOfReach } from '#db/errors.ts';
import { i18nFor } from '#i18n/server.ts';
import { AppError } from '#lib/app-error.ts';
import { languageOf } from '#middleware/language.ts';
import { fail, type HonoEnv } from '#middleware/request-context.ts';
import { errors, validationTexts } from '#vocabulary.ts';
import type { ErrorBody } from './error-body.ts';

/** Answers a failure: the one body that every error of the API has, in the request's language. */
export function answerError(c: Context<HonoEnv>, error: AppError): Response {
  const i18n = i18nFor(languageOf(c));
  const fields = Object.entries(error.fields ?? {}).map(
    ([field, codes]) => [field, codes.map((code) => i18n._(validationTexts[code]))] as const,
  );
  const { status, text } = errors[error.code];
  const message = i18n._(text);
  const body: ErrorBody = {
    code: error.code,
    message,
    // What the error dialog says of it: see the table of the product.
    ...(status === 422 && { errors: [message] }),
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
  return c.json(body, status);
}

/** Answers whatever was thrown. What nobody expected is logged in full, reported, and told as `internal` with the request id. */
export function onError(error: unknown, c: Context<HonoEnv>): Response {
  const appError = toAppError(error);
  if (errors[appError.code].status >= 500) {
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
