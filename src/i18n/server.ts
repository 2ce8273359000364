import 'server-only';
import { I18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core';
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

/**
 * Lingui's, but values stay as they are. Lingui decodes `\u0041` and `\x41` in the finished text,
 * even in values that people typed, so backslashes in values are escaped the same way.
 */
class ValueKeepingI18n extends I18n {
  override _(descriptor: MessageDescriptor): string;
  override _(id: string, values?: Values, options?: MessageOptions): string;
  override _(message: MessageDescriptor | string, values?: Values, options?: MessageOptions) {
    return typeof message === 'string'
      ? super._(message, withBackslashes(values), options)
      : super._({ ...message, values: withBackslashes(message.values) });
  }
}

type Values = Record<string, unknown>;

function withBackslashes(values: Values = {}): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\\', '\\u005c') : value,
    ]),
  );
}

/** Texts in one language: API answers, mails, server components. Islands are handed theirs by these. */
export function i18nFor(locale: Locale): I18n {
  const i18n = instances.get(locale) ?? createI18n(locale);
  instances.set(locale, i18n);
  return i18n;
}

function createI18n(locale: Locale): I18n {
  const messages = { [locale]: Object.assign({}, ...catalogs[locale]) };
  return new ValueKeepingI18n({ locale, messages });
}
