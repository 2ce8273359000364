import 'server-only';
import type { I18n } from '@lingui/core';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { isOutOfReach } from '#db/errors.ts';
import { i18nFor } from '#i18n/server.ts';
import { AppError, type FieldError } from '#lib/app-error.ts';
import { languageOf } from '#middleware/language.ts';
import { fail, type HonoEnv } from '#middleware/request-context.ts';
import { errors, validationTexts } from '#vocabulary.ts';
import type { ErrorBody } from './error-body.ts';

/** Answers with an error in the API's one error format, in the request's language. */
export async function answerError(c: Context<HonoEnv>, error: AppError): Promise<Response> {
  const i18n = i18nFor(languageOf(c));
  const fields = Object.entries(error.fields ?? {}).map(
    ([field, wrong]) => [field, wrong.map((one) => textOf(i18n, one))] as const,
  );
  const { status, text } = errors[error.code];
  const message = i18n._(error.values === undefined ? text : { ...text, values: error.values });
  const body: ErrorBody = {
    ...error.details,
    code: error.code,
    message,
    // The product's table of error messages asks for it.
    ...(status === 422 && { errors: [message] }),
    ...(fields.length > 0 && {
      errors: fields.flatMap(([, messages]) => messages),
      // `fromEntries`, not assignment: a field of the request may be called __proto__.
      fields: Object.fromEntries(fields),
    }),
    request_id: c.get('requestId'),
  };
  if (error.retryAfterSeconds !== undefined) {
    c.header('Retry-After', String(error.retryAfterSeconds));
  }
  return c.json(body, status);
}

function textOf(i18n: I18n, error: FieldError): string {
  return typeof error === 'string'
    ? i18n._(validationTexts[error])
    : i18n._({ ...validationTexts[error.code], values: error.values });
}

/** Answers any thrown error. An unexpected one is logged, reported and answered as `internal`. */
export function onError(error: unknown, c: Context<HonoEnv>): Promise<Response> {
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
  // Hono's validator throws this for JSON that cannot be parsed.
  if (error instanceof HTTPException && error.status === 400) {
    return new AppError('malformed_body', { cause: error });
  }
  return new AppError(isOutOfReach(error) ? 'unavailable' : 'internal', { cause: error });
}
