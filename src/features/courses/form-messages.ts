import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const texts = { ...validation, text_characters: validationTexts.text_characters };

/** The messages of the forms for courses. */
export function courseMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
