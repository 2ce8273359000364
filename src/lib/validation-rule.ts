import * as z from 'zod/mini';
import type { ValidationCode } from '#i18n/validation.ts';

/** A rule of a field, after whose failure no other is tried: people read one message for each field. */
export function rule(code: ValidationCode, passes: (text: string) => boolean) {
  return z.refine<string>(passes, { error: code, abort: true });
}

/**
 * Runs before `normalize`, whose cost grows faster than the text when thousands of accents pile up.
 *
 * @param count of characters that a later rule takes; in parts, each has at most eight UTF-16 units
 */
export function lengthRule(code: ValidationCode, count: number) {
  return rule(code, (typed) => typed.length <= count * 8);
}
