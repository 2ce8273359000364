import { msg } from '#i18n/msg.ts';
import type { ValidationTexts } from '#lib/vocabulary.ts';

export const validation = {
  document_invalid: msg`This text contains something that lessons can’t have`,
  document_invalid_near: msg`This text contains something that lessons can’t have, near “{near}”`,
  lesson_text_too_large: msg`A lesson can’t have this much formatting, such as large tables: split it into several`,
  lesson_text_too_long: msg`A lesson can have up to 50,000 characters`,
} satisfies ValidationTexts;
