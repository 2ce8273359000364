import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const { language_required, person_note_too_long, text_characters } = validationTexts;
const ofDetails = { ...validation, language_required, person_note_too_long };
/** An open run has the name of its course, and no days. */
const {
  cohort_name_required,
  cohort_name_too_short,
  cohort_name_too_long,
  cohort_name_characters,
  cohort_too_long,
  ...ofRuns
} = ofDetails;
const ofNotes = { person_note_too_long, text_characters };

export function cohortMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofDetails);
}

/** The same for the settings of an open run. */
export function runMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofRuns);
}

/** The messages of forms with nothing but a note to people. */
export function noteMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofNotes);
}
