import 'server-only';
import { I18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core';
import { type Locale, locales } from '#db/values.ts';

/**
 * Lingui's class, but it leaves values unchanged. Lingui decodes `\u0041` and `\x41` in the
 * finished text, even in what users typed, so backslashes in values are escaped.
 */
class ValueKeepingI18n extends I18n {
  override _(descriptor: MessageDescriptor): string;
  override _(id: string, values?: Values, options?: MessageOptions): string;
  override _(message: MessageDescriptor | string, values?: Values, options?: MessageOptions) {
    if (typeof message === 'string') {
      return super._(message, withBackslashes(values), options);
    }
    // Most texts have no values.
    return message.values === undefined
      ? super._(message)
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

/** One for each language; a global one would mix requests in both. */
const instances: Record<Locale, I18n> = {
  en: new ValueKeepingI18n({ locale: 'en', messages: { en: {} } }),
  fr: new ValueKeepingI18n({ locale: 'fr', messages: { fr: {} } }),
};

// The build compiles the catalogs to modules, which exist only then.
const catalogs = import.meta.glob<{ messages: Messages }>('../../locales/*/messages.po', {
  eager: true,
});
for (const locale of locales) {
  instances[locale].load(locale, catalogs[`../../locales/${locale}/messages.po`]?.messages ?? {});
}

/**
 * The texts of API answers, emails and server components, which pass islands theirs as props. Verbs
 * and pages have those of their request in `ctx.request.i18n`.
 */
export function i18nFor(locale: Locale): I18n {
  return instances[locale];
}
