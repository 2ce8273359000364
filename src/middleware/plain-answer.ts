import 'server-only';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { i18nFor } from '#i18n/server.ts';
import type { AppError } from '#lib/app-error.ts';
import { errors } from '#vocabulary.ts';
import { languageOf } from './language.ts';
import { kindOf } from './path-kinds.ts';
import type { HonoEnv } from './request-context.ts';

/** A refusal as plain text with the request id, outside pages and the API. */
export function plainAnswer(
  c: Context<HonoEnv>,
  status: ContentfulStatusCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return c.text(`${message}\n${c.get('requestId')}\n`, status, headers);
}

/**
 * Refuses a request cheaply: with the error body under /api, as plain text elsewhere.
 *
 * @param message the text; by default the one of the error
 */
export async function refuse(c: Context<HonoEnv>, error: AppError, message?: string) {
  if (kindOf(c.req.path).kind === 'api') {
    throw error;
  }
  const { status, text } = errors[error.code];
  const { retryAfterSeconds: seconds } = error;
  const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  return plainAnswer(c, status, message ?? i18nFor(languageOf(c))._(text), headers);
}
