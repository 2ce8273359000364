import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { pick } from '#lib/to-json.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const ofPerson = [
  'name_characters',
  'name_full_stop',
  'email_required',
  'email_invalid',
  'text_characters',
] as const;
const ofName = ['person_name_required', 'person_name_too_long'] as const;
const ofInterest = ['email_required', 'email_invalid', 'interest_consent_required'] as const;

const peopleTexts = { ...validation, ...pick(validationTexts, [...ofPerson, 'language_required']) };
const enrollmentTexts = pick(validationTexts, [...ofPerson, ...ofName, 'answer_too_long']);
const interestTexts = pick(validationTexts, ofInterest);

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
