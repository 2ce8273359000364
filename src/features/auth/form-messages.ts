import type { I18n } from '@lingui/core';
import { validation as ofAccounts } from '#features/accounts/vocabulary.ts';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const { all_fields_required } = validationTexts;

const ofAuth = { ...ofAccounts, ...validation, all_fields_required };

/** All that the forms before a login, and for another one, can show. */
export function authMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, ofAuth);
}
