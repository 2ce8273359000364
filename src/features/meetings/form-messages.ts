import type { I18n } from '@lingui/core';
import { type FormMessages, formMessages } from '#i18n/validation.ts';
import { pick } from '#lib/to-json.ts';
import { validationTexts } from '#vocabulary.ts';
import { validation } from './vocabulary.ts';

const texts = {
  ...validation,
  ...pick(validationTexts, [
    'date_required',
    'date_invalid',
    'place_too_long',
    'place_plain',
    'text_characters',
    'url_https',
  ]),
};

/** The messages of the forms for live sessions. */
export function meetingMessages(i18n: I18n): FormMessages {
  return formMessages(i18n, texts);
}
