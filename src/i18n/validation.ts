import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { connectionLost, errorMessages } from './errors.ts';

/**
 * What is said about a field that does not pass. Schemas name these by their keys; the words are chosen in the reader's
 * language, in the browser and in the worker alike.
 */
export const validationMessages = {
  required: msg`This field is required.`,
  unknown_field: msg`This field is not known.`,
  unknown_value: msg`This value is not known.`,
  all_fields_required: msg`Please fill in all required fields.`,
  name_required: msg`Name is required`,
  first_name_required: msg`First name is required`,
  last_name_required: msg`Last name is required`,
  name_too_short: msg`Name must be at least 2 characters`,
  name_too_long: msg`Name must be less than 50 characters`,
  name_characters: msg`Please use only letters, spaces, apostrophes, hyphens and full stops in a name`,
  name_full_stop: msg`Please put a space after a full stop in a name`,
  email_required: msg`Email address is required`,
  login_email_required: msg`Please enter your email address.`,
  login_email_invalid: msg`Invalid email address.`,
  email_invalid: msg`Please enter a valid email address`,
  email_taken: msg`An account with this email address already exists. Please log in instead.`,
  language_required: msg`Please choose English or French`,
  idempotency_key_invalid: msg`An idempotency key has 1 to 255 printable characters`,
  course_name_required: msg`Course name is required`,
  course_name_too_short: msg`Course name must be at least 3 characters`,
  course_name_too_long: msg`Course name must be less than 255 characters`,
  course_name_characters: msg`Please use only printable characters in a course name`,
  course_type_required: msg`Please select a course type`,
  typed_text_differs: msg`What you have typed is not the same`,
} satisfies Record<string, MessageDescriptor>;

export type ValidationCode = keyof typeof validationMessages;

export function isValidationCode(text: string): text is ValidationCode {
  return Object.hasOwn(validationMessages, text);
}

/** What a form can say in one language: of its fields by these codes, and of requests that failed. */
export type FormMessages = Record<string, string> & { connectionLost: string; internal: string };

/** Made once for each language: a page hands the same words to several forms, and carries them once. */
const said = new WeakMap<I18n, FormMessages>();

/** For the islands of a page, which get their words from the server. */
export function formMessages(i18n: I18n): FormMessages {
  const known = said.get(i18n);
  if (known !== undefined) {
    return known;
  }
  const ofFields = Object.entries(validationMessages).map(([code, message]) => [
    code,
    i18n._(message),
  ]);
  const messages = {
    ...Object.fromEntries(ofFields),
    connectionLost: i18n._(connectionLost),
    internal: i18n._(errorMessages.internal),
  };
  said.set(i18n, messages);
  return messages;
}
