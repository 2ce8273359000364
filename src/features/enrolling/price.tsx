import { Trans, useLingui } from '@lingui/react/macro';
import { earlyUntil } from '#features/cohorts/enrollment-words.ts';
import type { PublicPrice } from '#features/public-pages/find-public-pages.ts';
import { priceOf } from '#lib/price.ts';

/** An amount in words: nothing is free. */
function useAmount(): (minor: number, currency: string) => string {
  const { i18n, t } = useLingui();
  return (minor, currency) => (minor === 0 ? t`Free` : priceOf(minor, currency, i18n.locale));
}

/** The price after the early one, or without one. */
export function RegularPrice({ price }: { price: PublicPrice }) {
  const amount = useAmount();
  return (
    <p className="price">
      <strong>{amount(price.minor, price.currency)}</strong>
    </p>
  );
}

/** The early price with the regular one, and until when. */
export function EarlyPrice({ price: { minor, currency, early } }: { price: PublicPrice }) {
  const { i18n } = useLingui();
  const amount = useAmount();
  return (
    early !== null && (
      <p className="price">
        <strong>{amount(early.minor, currency)}</strong>{' '}
        <s>
          <span className="sr-only">
            <Trans>Regular price</Trans>{' '}
          </span>
          {amount(minor, currency)}
        </s>
        <span>{earlyUntil(i18n, early.untilLocal)}</span>
      </p>
    )
  );
}
