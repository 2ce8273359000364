import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ValidationTexts } from '#lib/vocabulary.ts';
import { errors } from '#vocabulary.ts';
import { connectionUnsupportedPlayer } from './errors.ts';

/** The messages of a form in one language: by validation code, and for failed requests. */
export type FormMessages = Record<string, string> & ProblemTexts;

/** Cached per language, so that a page with several forms contains the messages only once. */
const cache = new WeakMap<I18n, Map<ValidationTexts, FormMessages>>();

/** @param texts of all codes that the form can show: one object per form, the key of the cache */
export function formMessages(i18n: I18n, texts: ValidationTexts): FormMessages {
  const ofLanguage = cache.get(i18n) ?? new Map<ValidationTexts, FormMessages>();
  cache.set(i18n, ofLanguage);
  const messages = ofLanguage.get(texts) ?? {
    ...Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, i18n._(text)])),
    ...problemTexts(i18n),
  };
  ofLanguage.set(texts, messages);
  return messages;
}

export type ProblemTexts = ReturnType<typeof problemTexts>;

/** What a form says about a failed request, where the server does not say it, in one language. */
export function problemTexts(i18n: I18n) {
  // The browser knows.
  const when = '{when}';
  return {
    connectionUnsupportedPlayer: i18n._(connectionUnsupportedPlayer),
    internal: i18n._(errors.internal.text),
    /** For 429, if the server says when to try again: `{when}` is “in 2 minutes” or “now”. */
    waiting: i18n._(msg`You’ve made too many requests. You can try again ${when}.`),
  };
}
