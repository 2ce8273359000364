import 'server-only';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { i18nFor } from '#i18n/server.ts';
import type { AppError } from '#lib/app-error.ts';
import { errors } from '#vocabulary.ts';
import { languageOf } from './language.ts';
import type { HonoEnv } from './request-context.ts';

/** A refusal in words, where neither a page nor the API answers, with the number that leads to the log. */
export function plainAnswer(
  c: Context<HonoEnv>,
  status: ContentfulStatusCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return c.text(`${message}\n${c.get('requestId')}\n`, status, headers);
}

/**
 * Refuses what should cost nothing: with the error body under /api, in plain words elsewhere.
 *
 * @param message the words; by default those of the error
 */
export function refuse(c: Context<HonoEnv>, error: AppError, message?: string): Response {
  if (c.req.path.startsWith('/api/')) {
    throw error;
  }
  const { status, text } = errors[error.code];
  const { retryAfterSeconds: seconds } = error;
  const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  return plainAnswer(c, status, message ?? i18nFor(languageOf(c))._(text), headers);
}
