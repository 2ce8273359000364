import { useLingui } from '@lingui/react/macro';
import type { Locale } from '#db/values.ts';
import { connectionLost } from '#i18n/errors.ts';
import { LanguageSwitcher } from './language-switcher.tsx';

type LanguageChoiceProps = {
  /** The account that the language is saved to as well. */
  accountId?: string;
  /** The chosen language, where that may be another one than the page's: the account's. */
  chosen?: Locale;
  /** The query of the page, if it is not in the address bar. */
  search?: string;
  className?: string;
};

/** The language switcher with its texts. */
export function LanguageChoice({ accountId, chosen, search, className }: LanguageChoiceProps) {
  const { i18n, t } = useLingui();
  // The languages of the catalogs are those of the product.
  const locale = i18n.locale as Locale;
  return (
    <LanguageSwitcher
      locale={locale}
      chosen={chosen ?? locale}
      label={t`Language`}
      failed={i18n._(connectionLost)}
      accountId={accountId ?? null}
      search={search ?? null}
      className={className ?? 'segments'}
    />
  );
}
