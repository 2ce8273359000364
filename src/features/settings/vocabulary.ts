import { msg } from '#i18n/msg.ts';
import type { ValidationTexts } from '#lib/vocabulary.ts';

export const validation = {
  typed_text_differs: msg`This doesn’t match`,
} satisfies ValidationTexts;
