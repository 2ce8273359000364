import { expect, expectTypeOf, test } from 'vitest';
import { AppError } from '#lib/app-error.ts';
import { rule } from '#lib/validation-rule.ts';
import { type Errors, merge } from '#lib/vocabulary.ts';
import { type ErrorCode, errors, type LimitName, type LogEvent } from '#vocabulary.ts';

const text = { id: 'Gone.', message: 'Gone.' };

test('vocabularies are merged, and a part that is missing from one is skipped', () => {
  const merged = merge([{ errors: { one: 1 } }, {}, { errors: { two: 2 } }], 'errors');

  expect(merged).toEqual({ one: 1, two: 2 });
  expectTypeOf(merged.one).toEqualTypeOf<1>();
  expectTypeOf<keyof typeof merged>().toEqualTypeOf<'one' | 'two'>();
});

test('a name used by two features does not compile where it is used', () => {
  const parts = [{ limits: { mails: 1 } }, {}, { limits: { mails: 2, links: 3 } }] as const;
  const merged = merge(parts, 'limits');

  expectTypeOf<keyof typeof merged>().toEqualTypeOf<'is named twice'>();
  expectTypeOf(merged['is named twice']).toEqualTypeOf<'mails'>();
  // @ts-expect-error There is no saying whose it would be.
  expect(merged.links).toBe(3);
});

test('a code without a status or words, or without an entry, does not compile', () => {
  // @ts-expect-error It has no words.
  const wordless = { gone: { status: 410 } } satisfies Errors;
  // @ts-expect-error It has no status.
  const withoutStatus = { gone: { text } } satisfies Errors;
  // @ts-expect-error HTTP knows no such status for an answer with a body.
  const odd = { gone: { status: 204, text } } satisfies Errors;
  // @ts-expect-error No vocabulary has this code.
  const unknown = new AppError('gone');
  // @ts-expect-error No vocabulary has this code.
  rule('too_odd', () => true);

  expect([wordless, withoutStatus, odd]).toHaveLength(3);
  expect(errors).not.toHaveProperty(unknown.code);
});

test('every code, limit and event of a feature is in the merged vocabulary', () => {
  expectTypeOf<'idempotency_key_reused'>().toExtend<ErrorCode>();
  expectTypeOf<'courses_per_user'>().toExtend<LimitName>();
  expectTypeOf<'account_deleted'>().toExtend<LogEvent>();
});
