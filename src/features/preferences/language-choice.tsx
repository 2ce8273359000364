import { useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import type { Locale } from '#db/values.ts';
import { connectionUnsupportedPlayer } from '#i18n/errors.ts';
import { LanguageSwitcher } from './language-switcher.tsx';

type LanguageChoiceProps = Partial<
  Pick<ComponentProps<typeof LanguageSwitcher>, 'accountId' | 'chosen' | 'search' | 'className'>
>;

/** The language switcher with its texts: by default of signed-out users, in the page's language. */
export function LanguageChoice(props: LanguageChoiceProps) {
  const { i18n, t } = useLingui();
  // The languages of the catalogs are those of the product.
  const locale = i18n.locale as Locale;
  return (
    <LanguageSwitcher
      locale={locale}
      chosen={locale}
      label={t`Language`}
      failed={i18n._(connectionUnsupportedPlayer)}
      accountId={null}
      search={null}
      className="segments"
      {...props}
    />
  );
}
