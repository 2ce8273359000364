import { msg } from '#i18n/msg.ts';
import type { Errors, LimitRates } from '#lib/vocabulary.ts';

export const errors = {
  import_lesson_too_long: {
    status: 422,
    text: msg`The lesson “{lesson}” is too long. A lesson can have up to 50,000 characters. Split it into several, then import them.`,
  },
  import_lesson_too_large: {
    status: 422,
    text: msg`The lesson “{lesson}” has too much formatting, such as large tables. Split it into several, then import them.`,
  },
  import_lesson_invalid: {
    status: 422,
    text: msg`The lesson “{lesson}” contains something that lessons can’t have, near “{near}”.`,
  },
} satisfies Errors;

export const limits = {
  content_imports_per_user: ['20/h', '60/d'],
  content_import_checks_per_user: ['60/h'],
} as const satisfies LimitRates;
