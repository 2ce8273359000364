import { msg } from '#i18n/msg.ts';
import type { ValidationTexts } from '#lib/vocabulary.ts';

export const validation = {
  typed_text_differs: msg`What you have typed is not the same`,
} satisfies ValidationTexts;
