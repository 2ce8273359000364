import type { I18n } from '@lingui/core';
import { validationTexts } from '#vocabulary.ts';
import { type ProblemTexts, problemTexts } from './problems.ts';

/** The messages of a form in one language: by validation code, and for failed requests. */
export type FormMessages = Record<string, string> & ProblemTexts;

/** Cached per language, so that a page with several forms contains the messages only once. */
const said = new WeakMap<I18n, FormMessages>();

export function formMessages(i18n: I18n): FormMessages {
  const known = said.get(i18n);
  if (known !== undefined) {
    return known;
  }
  const ofFields = Object.entries(validationTexts).map(([code, message]) => [
    code,
    i18n._(message),
  ]);
  const messages = {
    ...Object.fromEntries(ofFields),
    ...problemTexts(i18n),
  };
  said.set(i18n, messages);
  return messages;
}
