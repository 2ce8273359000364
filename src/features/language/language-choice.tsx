import { useLingui } from '@lingui/react/macro';
import type { Locale } from '#db/values.ts';
import { connectionLost } from '#i18n/errors.ts';
import { LanguageSwitcher } from './language-switcher.tsx';

type LanguageChoiceProps = {
  /** The account that the language is saved to as well. */
  accountId?: string;
  /** The query of the page, if it is not in the address bar. */
  search?: string;
  className?: string;
};

/** The language switcher with its texts. */
export function LanguageChoice({ accountId, search, className }: LanguageChoiceProps) {
  const { i18n, t } = useLingui();
  return (
    <LanguageSwitcher
      // The languages of the catalogs are those of the product.
      locale={i18n.locale as Locale}
      label={t`Language`}
      failed={i18n._(connectionLost)}
      accountId={accountId ?? null}
      search={search ?? null}
      className={className ?? 'segments'}
    />
  );
}
