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

export type Namespace = 'common' | 'auth' | 'courses' | 'validation';

/** The namespaces that pages hand to browsers; `server` is for mails and for clients of the API. */
const catalogs: Record<Locale, Record<Namespace, Messages>> = {
  en: { common: commonEn, auth: authEn, courses: coursesEn, validation: validationEn },
  fr: { common: commonFr, auth: authFr, courses: coursesFr, validation: validationFr },
};

const serverMessages: Record<Locale, Messages> = { en: serverEn, fr: serverFr };

// One instance for each language and never the global one: requests of both languages interleave in one isolate.
const instances: Record<Locale, I18n> = { en: createI18n('en'), fr: createI18n('fr') };

/** Texts in one language, for the worker: API answers, mails, server components. */
export function i18nFor(locale: Locale): I18n {
  return instances[locale];
}

/** The texts that a page's islands need, to be handed to the browser with the page. */
export function messagesFor(locale: Locale, namespaces: Namespace[]): Messages {
  return Object.assign({}, ...namespaces.map((namespace) => catalogs[locale][namespace]));
}

function createI18n(locale: Locale): I18n {
  const messages = Object.assign({}, ...Object.values(catalogs[locale]), serverMessages[locale]);
  return setupI18n({ locale, messages: { [locale]: messages } });
}
