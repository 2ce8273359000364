import * as z from 'zod/mini';
import type { ValidationCode } from '#i18n/validation.ts';

/** A rule of a field, after whose failure no other is tried: people read one message for each field. */
export function rule(code: ValidationCode, passes: (text: string) => boolean) {
  return z.refine<string>(passes, { error: code, abort: true });
}
