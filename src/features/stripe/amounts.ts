import { digitsOf } from '#lib/price.ts';

/**
 * Amounts as Stripe counts them. Its smallest units differ from those of Intl in a few currencies:
 * see https://docs.stripe.com/currencies, "Zero-decimal currencies" and "Special cases".
 */
const zeroDecimal = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
/** Their last digit has to be 0. */
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));

/** The least and the most that one payment can be, in whole units of most currencies. */
const minUnits = 0.5;
const maxUnits = 999_999.99;

function digitsAtStripe(currency: string): number {
  if (zeroDecimal.has(currency)) {
    return 0;
  }
  return threeDecimal.has(currency) ? 3 : 2;
}

/** An amount of ours in the units of Stripe; null for one that it can't be asked for. */
export function toStripeAmount(minor: number, currency: string): number | null {
  const digits = digitsOf(currency);
  const units = minor / 10 ** digits;
  const amount = minor * 10 ** (digitsAtStripe(currency) - digits);
  const isWhole = Number.isInteger(amount) && (!threeDecimal.has(currency) || amount % 10 === 0);
  return isWhole && units >= minUnits && units <= maxUnits ? amount : null;
}

/** An amount of Stripe in the smallest unit as the accounts have it, rounded if it has to be. */
export function fromStripeAmount(amount: number, currency: string): number {
  return Math.round(amount * 10 ** (digitsOf(currency) - digitsAtStripe(currency)));
}
