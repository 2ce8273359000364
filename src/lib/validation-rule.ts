import * as z from 'zod/mini';
import type { ValidationCode } from '#vocabulary.ts';

/** A rule that stops validation when it fails, so that each field has one message. */
export function rule(code: ValidationCode, passes: (text: string) => boolean) {
  return z.refine<string>(passes, { error: code, abort: true });
}

/**
 * A generous maximum length to check before `normalize`, which is slow for piles of accents.
 *
 * @param count the characters that a later rule allows; decomposed, each has at most eight units
 */
export function lengthRule(code: ValidationCode, count: number) {
  return rule(code, (typed) => typed.length <= count * 8);
}
