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
    rule('person_name_characters', isPersonName),
    rule('name_full_stop', (typed) => !couldBeLink(typed)),
  );
}

/** Fewer than a phone number has, which phones offer to call. */
const maxDigits = 4;

/** Also with what lists put into names: `Martin Bell, Jr.`, `Marge Wilson (TA)`, `Ana/Bea Ruiz 2`. */
function isPersonName(text: string): boolean {
  const digits = text.match(/\p{Nd}/gu) ?? [];
  return digits.length <= maxDigits && isName(text.replace(/(?<!\/)\/(?!\/)|[,()\p{Nd}]/gu, ' '));
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
