import * as z from 'zod/mini';
import { locales } from '#db/values.ts';
import { couldBeLink, emailAddress, isName } from '#features/identity/account-schema.ts';
import { characterCount } from '#lib/text.ts';
import { lengthRule, rule } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';

export const code = (of: ValidationCode): ValidationCode => of;

/** One field, because half of the world has no first and last name. Emails contain it. */
export function personName() {
  return z.string(code('person_name_required')).check(
    z.trim(),
    lengthRule('person_name_too_long', 100),
    z.normalize('NFC'),
    rule('person_name_required', (typed) => typed !== ''),
    rule('person_name_too_long', (typed) => characterCount(typed) <= 100),
    rule('name_characters', isName),
    rule('name_full_stop', (typed) => !couldBeLink(typed)),
  );
}

export const email = emailAddress('email_required');
export const language = z.enum(locales, code('language_required'));
export const token = z.optional(z.unknown().check(z.meta({ type: 'string' })));

export const queuePosition = z
  .nullable(z.int())
  .check(z.describe('The place on the waitlist, from 1; null unless they wait'));

export const nextPage = z
  .nullable(z.string())
  .check(z.describe('Send it as “after” for the next page; null on the last one'));

export const time = z.nullable(z.iso.datetime());
