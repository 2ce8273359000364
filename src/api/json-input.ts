import 'server-only';
import { zValidator } from '@hono/zod-validator';
import type { $ZodIssue, $ZodType } from 'zod/v4/core';
import { AppError, type FieldErrors } from '#lib/app-error.ts';
import { type ValidationCode, validationTexts } from '#vocabulary.ts';
import { describing } from './describe.ts';

/**
 * Parses and validates the JSON body of a route, once, into the input of its verb.
 *
 * @throws AppError `validation_failed` with the codes of each field, in the order of the schema,
 *   and of some unknown ones
 */
export function jsonInput<Schema extends $ZodType>(schema: Schema) {
  return describing(
    { input: schema },
    zValidator('json', schema, (result) => {
      if (!result.success) {
        throw new AppError('validation_failed', { fields: fieldErrors(result.error.issues) });
      }
    }),
  );
}

/** How many unknown fields an answer names, and up to which length: it must not repeat a body. */
const named = { fields: 10, characters: 100 };

function fieldErrors(issues: readonly $ZodIssue[]): FieldErrors {
  const fields = new Map<string, ValidationCode[]>();
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, named.fields)) {
        fields.set(key.slice(0, named.characters), ['unknown_field']);
      }
    } else if (issue.path.length > 0) {
      const field = String(issue.path[0]);
      const code = isValidationCode(issue.message) ? issue.message : 'required';
      fields.set(field, [...(fields.get(field) ?? []), code]);
    }
  }
  return Object.fromEntries(fields);
}

function isValidationCode(text: string): text is ValidationCode {
  return Object.hasOwn(validationTexts, text);
}
