import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { currenciesFor } from '#lib/currencies.ts';
import { Field } from '#ui/form.tsx';
import { calendar } from './cohort-fields.tsx';
import { CurrencySelect } from './currency-select.tsx';

type PriceFieldsProps = {
  /** That of the cohort, or else of the last cohort of the viewer; see own-currency.ts. */
  currency: string | null;
  /** The time zone of the cohort, if it is known. */
  zone: string | null;
  /** Whether it can be another one before a day. */
  hasEarly?: boolean;
  /** What the early price means for people. */
  note?: ReactNode;
};

/**
 * The price of a cohort and what it is before a day. A form that has stored values needs
 * `proposedCurrency` as its value of `currency`.
 */
export function PriceFields({ currency, zone, hasEarly = true, note }: PriceFieldsProps) {
  const { i18n, t } = useLingui();
  const { likely, others } = currenciesFor(currency, zone, i18n.locale);
  const names = new Intl.DisplayNames(i18n.locale, { type: 'currency' });
  const listOf = (codes: string[]) =>
    codes.map((code) => `${code}=${names.of(code) ?? code}`).join('|');
  return (
    <>
      <div className="field-pair">
        <CurrencySelect
          likely={listOf(likely)}
          others={listOf(others)}
          isUnknown={currency === null && zone === null}
          texts={{
            label: t`Currency`,
            likely: t`Your currencies`,
            others: t`All other currencies`,
          }}
        />
        <Field
          label={t`Price`}
          name="price_minor"
          inputMode="decimal"
          autoComplete="off"
          hint={t`Leave blank to hide the price.`}
        />
      </div>
      {hasEarly && (
        <div className="field-pair">
          <Field
            label={t`Early price`}
            name="early_price_minor"
            inputMode="decimal"
            autoComplete="off"
            hint={t`Optional`}
          />
          <Field label={t`Until the end of`} name="early_until_local" type="date" {...calendar} />
        </div>
      )}
      {note && <p className="hint">{note}</p>}
    </>
  );
}

/** What the field of the currency holds before anyone chooses: the first of the list. */
export function proposedCurrency(currency: string | null, zone: string | null, locale: string) {
  return currenciesFor(currency, zone, locale).likely[0] ?? '';
}
