import type { I18n } from '@lingui/core';
import { validation } from '#features/identity/vocabulary.ts';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';

const texts = { ...validation, text_characters: validationTexts.text_characters };

/** The messages of the forms for an account. */
export function accountMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
