import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const { text_characters, person_note_too_long } = validationTexts;

const texts = { ...validation, text_characters, person_note_too_long };

/** The messages of the forms for messages to a group and for announcements. */
export function messageFormMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
