import type { I18n } from '@lingui/core';
import { errors, validationTexts } from '#vocabulary.ts';
import { connectionLost } from './errors.ts';

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
  const ofFields = Object.entries(validationTexts).map(([code, message]) => [
    code,
    i18n._(message),
  ]);
  const messages = {
    ...Object.fromEntries(ofFields),
    connectionLost: i18n._(connectionLost),
    internal: i18n._(errors.internal.text),
  };
  said.set(i18n, messages);
  return messages;
}
