import 'server-only';
import { I18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core';
import type { Locale } from '#db/values.ts';

/** One for each feature, and those that lingui.config.ts has besides. */
const catalogs = import.meta.glob<Messages>('../../locales/*/*.po', {
  eager: true,
  import: 'messages',
});

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
  const ours = Object.entries(catalogs).filter(([file]) => file.includes(`/${locale}/`));
  const messages = { [locale]: Object.assign({}, ...ours.map(([, texts]) => texts)) };
  return new ValueKeepingI18n({ locale, messages });
}
