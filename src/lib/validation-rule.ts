import * as z from 'zod/mini';
import type { ValidationCode } from '#i18n/validation.ts';

/** A rule of a field, after whose failure no other is tried: people read one message for each field. */
export function rule(code: ValidationCode, passes: (text: string) => boolean) {
  return z.refine<string>(passes, { error: code, abort: true });
}

/**
 * Stands before `normalize`, which takes ever longer to put thousands of accents in order.
 *
 * @param count of characters that a later rule takes; in parts, each has at most eight UTF-16 units
 */
export function lengthRule(code: ValidationCode, count: number) {
  return rule(code, (typed) => typed.length <= count * 8);
}
