import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const { text_characters, person_note_too_long } = validationTexts;

const ofLetters = { ...validation, text_characters, person_note_too_long };

/** All that forms for messages and announcements can show. */
export function letterMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofLetters);
}
