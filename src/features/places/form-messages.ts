import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { pick } from '#lib/to-json.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const ofPerson = pick(validationTexts, [
  'person_name_characters',
  'name_full_stop',
  'email_required',
  'email_invalid',
  'text_characters',
]);

// At module scope: the cache of messages is by these objects.
const ofPeople = { ...validation, ...ofPerson, ...pick(validationTexts, ['language_required']) };
const ofEnrollment = {
  ...ofPerson,
  ...pick(validationTexts, ['person_name_required', 'person_name_too_long', 'answer_too_long']),
};
const ofInterest = pick(validationTexts, [
  'email_required',
  'email_invalid',
  'interest_consent_required',
]);

export function peopleMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofPeople);
}

/** The messages of the enrollment form; that for missing consent names the instructor. */
export function enrollmentMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofEnrollment);
}

/** The messages of the form to be told when enrollment opens. */
export function interestMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofInterest);
}
