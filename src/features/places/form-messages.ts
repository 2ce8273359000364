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

export function peopleMessages(i18n: I18n): FormMessages {
  const names = [...ofPerson, 'language_required'] as const;
  return formMessages(i18n, { ...validation, ...pick(validationTexts, names) });
}

/** The messages of the enrollment form; that for missing consent names the instructor. */
export function enrollmentMessages(i18n: I18n): FormMessages {
  const ofName = ['person_name_required', 'person_name_too_long'] as const;
  return formMessages(i18n, pick(validationTexts, [...ofPerson, ...ofName, 'answer_too_long']));
}

/** The messages of the form to be told when enrollment opens. */
export function interestMessages(i18n: I18n): FormMessages {
  const names = ['email_required', 'email_invalid', 'interest_consent_required'] as const;
  return formMessages(i18n, pick(validationTexts, names));
}
