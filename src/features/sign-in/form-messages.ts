import type { I18n } from '@lingui/core';
import { validation } from '#features/identity/vocabulary.ts';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';

const { all_fields_required } = validationTexts;

const texts = { ...validation, all_fields_required };

/** The messages of the forms for signing up, logging in and confirming a login. */
export function authMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
