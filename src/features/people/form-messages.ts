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
} = validationTexts;

const ofPeople = {
  ...validation,
  name_characters,
  name_full_stop,
  email_required,
  email_invalid,
  language_required,
  text_characters,
};

const ofEnrollment = {
  person_name_required: validation.person_name_required,
  person_name_too_long: validation.person_name_too_long,
  name_characters,
  name_full_stop,
  email_required,
  email_invalid,
  answer_too_long: validation.answer_too_long,
  text_characters,
};

const ofInterest = {
  email_required,
  email_invalid,
  interest_consent_required: validation.interest_consent_required,
};

/** All that forms about people can show. */
export function peopleMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofPeople);
}

/** All that the form to enroll can show, but that the consent is missing. */
export function enrollmentMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofEnrollment);
}

/** All that the form to be told of a cohort can show. */
export function interestMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofInterest);
}
