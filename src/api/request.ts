import 'server-only';
import { msg } from '@lingui/core/macro';
import type { Context } from 'hono';
import { AppError } from '#lib/app-error.ts';
import type { HeaderDescription } from './describe.ts';

/** Whether a request is HEAD, which Hono routes to GET but which must have no effect. */
export function isHead(c: Context): boolean {
  return c.req.method === 'HEAD';
}

const maxKeyLength = 255;
const keyPattern = /^[\x21-\x7e]+$/;

export const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  description: msg`Any text that is new for each course; the same request sent again with the same key creates only one course`,
  maxLength: maxKeyLength,
} satisfies HeaderDescription;

/**
 * The key that identifies a request and its retries; null if the client sent none.
 *
 * @throws AppError `validation_failed` if it is malformed
 */
export function idempotencyKey(c: Context): string | null {
  const key = c.req.header(idempotencyKeyHeader.name);
  if (key !== undefined && !(key.length <= maxKeyLength && keyPattern.test(key))) {
    const fields = { [idempotencyKeyHeader.name]: ['idempotency_key_invalid' as const] };
    throw new AppError('validation_failed', { fields });
  }
  return key ?? null;
}

/**
 * The value of a query parameter that has a list of values.
 *
 * @throws AppError `validation_failed` on the parameter for any other value
 */
export function knownParameter<Value extends string>(
  values: readonly Value[],
  name: string,
  text: string,
): Value {
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) {
    throw new AppError('validation_failed', { fields: { [name]: ['unknown_value'] } });
  }
  return value;
}

/** The answer of a route that only says that what it does is done. */
export async function noContent(c: Context, done: Promise<unknown>) {
  await done;
  return c.body(null, 204);
}
