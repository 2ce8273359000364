import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const {
  name_characters,
  name_full_stop,
  email_required,
  email_invalid,
  language_required,
  text_characters,
  answer_too_long,
  interest_consent_required,
} = validationTexts;

const personTexts = {
  name_characters,
  name_full_stop,
  email_required,
  email_invalid,
  text_characters,
};

const peopleTexts = { ...validation, ...personTexts, language_required };

const enrollmentTexts = {
  ...personTexts,
  person_name_required: validation.person_name_required,
  person_name_too_long: validation.person_name_too_long,
  answer_too_long,
};

const interestTexts = {
  email_required,
  email_invalid,
  interest_consent_required,
};

/** The messages of the forms about people. */
export function peopleMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, peopleTexts);
}

/** The messages of the enrollment form; that for missing consent names the instructor. */
export function enrollmentMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, enrollmentTexts);
}

/** The messages of the form to be told when enrollment opens. */
export function interestMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, interestTexts);
}
