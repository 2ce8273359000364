import 'server-only';
import { type I18n, type Messages, setupI18n } from '@lingui/core';
import type { Locale } from '#db/values.ts';
import { messages as authEn } from '#locales/en/auth.po';
import { messages as commonEn } from '#locales/en/common.po';
import { messages as coursesEn } from '#locales/en/courses.po';
import { messages as serverEn } from '#locales/en/server.po';
import { messages as validationEn } from '#locales/en/validation.po';
import { messages as authFr } from '#locales/fr/auth.po';
import { messages as commonFr } from '#locales/fr/common.po';
import { messages as coursesFr } from '#locales/fr/courses.po';
import { messages as serverFr } from '#locales/fr/server.po';
import { messages as validationFr } from '#locales/fr/validation.po';

/** The namespaces of the product, and `server` for mails and clients of the API. */
const catalogs: Record<Locale, Messages[]> = {
  en: [commonEn, authEn, coursesEn, validationEn, serverEn],
  fr: [commonFr, authFr, coursesFr, validationFr, serverFr],
};

// One instance for each language, made when it is first needed, and never the global one: requests of both languages interleave in
// one isolate.
const instances = new Map<Locale, I18n>();

/** Texts in one language: API answers, mails, server components. Islands are handed theirs by these. */
export function i18nFor(locale: Locale): I18n {
  const i18n = instances.get(locale) ?? createI18n(locale);
  instances.set(locale, i18n);
  return i18n;
}

function createI18n(locale: Locale): I18n {
  return setupI18n({ locale, messages: { [locale]: Object.assign({}, ...catalogs[locale]) } });
}
