import { type Locale, languageNames, locales } from '#db/values.ts';
import { Select } from '#features/cohorts/fields.tsx';

type LanguageSelectProps = { id?: string; label: string; hint?: string; language: Locale };

/** The language of someone's emails. */
export function LanguageSelect({ language, ...select }: LanguageSelectProps) {
  return (
    <Select name="language" defaultValue={language} {...select}>
      {locales.map((locale) => (
        <option key={locale} value={locale} lang={locale}>
          {languageNames[locale]}
        </option>
      ))}
    </Select>
  );
}
