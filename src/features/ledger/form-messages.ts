import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const { amount_digits, amount_unclear, date_required, date_invalid, text_characters } =
  validationTexts;

const texts = {
  ...validation,
  amount_digits,
  amount_unclear,
  date_required,
  date_invalid,
  text_characters,
};

/** The messages of the forms for ledger entries. */
export function entryMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
