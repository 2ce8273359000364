import 'server-only';
import { I18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core';
import type { Locale } from '#db/values.ts';

/** The catalogs of lingui.config.ts: one per feature, and a few others. */
const catalogs = import.meta.glob<Messages>('../../locales/*/*.po', {
  eager: true,
  import: 'messages',
});

// One instance per language, on first use; a global one would mix requests in both languages.
const instances = new Map<Locale, I18n>();

/**
 * Lingui's class, but it leaves values unchanged. Lingui decodes `\u0041` and `\x41` in the
 * finished text, even in what users typed, so backslashes in values are escaped.
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

/** The texts of API answers, emails and server components, which pass islands theirs as props. */
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
