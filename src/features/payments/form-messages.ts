import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const { amount_digits, amount_unclear, date_required, date_invalid, text_characters } =
  validationTexts;

const ofEntries = {
  ...validation,
  amount_digits,
  amount_unclear,
  date_required,
  date_invalid,
  text_characters,
};

/** All that forms with entries of a ledger can show. */
export function entryMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofEntries);
}
