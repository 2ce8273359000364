import 'server-only';
import { msg } from '@lingui/core/macro';
import type { Context } from 'hono';
import { AppError } from '#lib/app-error.ts';
import type { HeaderDescription } from './describe.ts';

const maxLength = 255;
const keyPattern = /^[\x21-\x7e]+$/;

export const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  description: msg`Any text that is new for each course; the same request sent again with the same key creates only one course`,
  maxLength,
} satisfies HeaderDescription;

/**
 * The key that identifies a request and its retries; null if the client sent none.
 *
 * @throws AppError `validation_failed` if it is malformed
 */
export function idempotencyKey(c: Context): string | null {
  const key = c.req.header(idempotencyKeyHeader.name);
  if (key !== undefined && !(key.length <= maxLength && keyPattern.test(key))) {
    const fields = { [idempotencyKeyHeader.name]: ['idempotency_key_invalid' as const] };
    throw new AppError('validation_failed', { fields });
  }
  return key ?? null;
}
