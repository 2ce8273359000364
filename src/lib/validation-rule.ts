import * as z from 'zod/mini';
import type { ValidationCode } from '#vocabulary.ts';
import { characterCount, isPrintable, isPrintableText } from './text.ts';

/** A rule that stops validation when it fails, so that each field has one message. */
export function rule(code: ValidationCode, passes: (text: string) => boolean) {
  return z.refine<string>(passes, { error: code, abort: true });
}

/** The highest amount in the smallest unit of a currency: one of 12 digits. */
const maxAmount = 999_999_999_999;

/**
 * An amount in the smallest unit of its currency, from the least to the highest. Forms send what
 * can be read two ways, or names another currency, as it was typed.
 *
 * @param code for what is less, or no amount
 */
export function amountFrom(least: number, code: ValidationCode) {
  const tooLarge: ValidationCode = 'amount_digits';
  const unclear: ValidationCode = 'amount_unclear';
  const ofOtherCurrency: ValidationCode = 'amount_currency';
  return z
    .int({
      abort: true,
      error: ({ input }) => {
        if (typeof input === 'string') {
          return /[\p{L}\p{Sc}]/u.test(input) ? ofOtherCurrency : unclear;
        }
        return typeof input === 'number' && input > maxAmount ? tooLarge : code;
      },
    })
    .check(z.minimum(least, code), z.maximum(maxAmount, tooLarge));
}

/**
 * A generous maximum length to check before `normalize`, which is slow for piles of accents.
 *
 * @param count the characters that a later rule allows; decomposed, each has at most eight units.
 *   The `maxLength` of the schema document
 */
export function lengthRule(code: ValidationCode, count: number) {
  const check = rule(code, (typed) => typed.length <= count * 8);
  check._zod.onattach.push(({ _zod: { bag } }) => {
    bag['maximum'] = count;
  });
  return check;
}

type LineCodes = Record<'required' | 'tooLong' | 'characters', ValidationCode> & {
  /** For fewer than 3 characters. */
  tooShort?: ValidationCode;
};

/** One line that is not empty, such as a name. */
export function requiredLine(max: number, codes: LineCodes): z.ZodMiniString {
  const { required, tooShort, tooLong, characters } = codes;
  const min = tooShort === undefined ? 1 : 3;
  return z.string(required).check(
    z.meta(min > 1 ? { minLength: min } : {}),
    z.trim(),
    lengthRule(tooLong, max),
    z.normalize('NFC'),
    rule(required, (typed) => typed !== ''),
    rule(tooShort ?? required, (typed) => characterCount(typed) >= min),
    rule(tooLong, (typed) => characterCount(typed) <= max),
    rule(characters, isPrintable),
  );
}

/** Forms send fields that were left empty as empty texts. */
export function nullIfEmpty(text: z.ZodMiniString) {
  return z.nullable(
    z.pipe(
      text,
      z.transform((typed: string) => (typed === '' ? null : typed)),
    ),
  );
}

/** One line, or none. */
export const oneLine = rule('text_characters', (typed) => typed === '' || isPrintable(typed));

/** Several lines without markup. */
export function plainText(
  max: number,
  tooLong: ValidationCode,
  ...more: ReturnType<typeof rule>[]
) {
  return nullIfEmpty(
    z.string('text_characters' satisfies ValidationCode).check(
      lengthRule(tooLong, max),
      z.overwrite((typed) => typed.replace(/\r\n?/g, '\n')),
      z.trim(),
      z.normalize('NFC'),
      rule(tooLong, (typed) => characterCount(typed) <= max),
      rule('text_characters', isPrintableText),
      ...more,
    ),
  );
}
