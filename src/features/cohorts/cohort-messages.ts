import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const { language_required, person_note_too_long, text_characters } = validationTexts;
const ofDetails = { ...validation, language_required, person_note_too_long };
const ofNotes = { person_note_too_long, text_characters };

export function cohortMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofDetails);
}

/** The messages of forms with nothing but a note to people. */
export function noteMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofNotes);
}
