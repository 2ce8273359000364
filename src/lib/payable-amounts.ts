import { digitsOf } from './price.ts';

/**
 * The least that Stripe takes in one payment, in whole units, from https://docs.stripe.com/currencies
 * (“Minimum and maximum charge amounts”, 2026). Others have 0.50. Below 5, and of MXN, THB, CZK, JPY,
 * KRW and HUF, it is Stripe’s own. For currencies of which Stripe names none, what arrives in that of
 * the seller counts, about half a US dollar: these are from half the power of ten above its worth on.
 */
const leastUnits: Record<number, string> = {
  0.3: 'GBP',
  2: 'AED MYR PLN RON',
  2.5: 'DKK',
  3: 'NOK SEK',
  4: 'HKD',
  5: 'ANG AWG AZN BAM BBD BND BOB BYN BZD CNY FJD GEL GTQ LYD MAD MOP PEN PGK QAR SAR SVC TND TOP TTD WST XCD XCG',
  10: 'MXN THB',
  15: 'CZK',
  50: 'BWP DOP EGP ETB GMD GHS HNL JPY KGS KRW LSL MDL MKD MUR MVR MZN NAD NIO SCR SLE SRD STN SZL TJS TRY TWD UAH UYU ZMW',
  175: 'HUF',
  500: 'AFN ALL AMD BDT CRC CVE DJF DZD GYD HTG ISK JMD KES KMF KZT LKR LRD NPR PKR RSD SOS VUV XAF XOF XPF YER',
  5000: 'AOA BIF CDF CLP GNF IQD KHR MGA MMK MNT MWK NGN PYG RWF TZS UGX',
  50000: 'IRR KPW LAK LBP SLL STD SYP UZS VND',
};

/**
 * How many digits the most has in Stripe’s units: for all ways to pay, or more for cards by name.
 * Others have 8; that cards take 12 in general is not so for every card and way to pay.
 */
const mostDigits: Record<string, number> = { IDR: 12, LBP: 11, COP: 10, HUF: 10, INR: 9 };

/** “Zero-decimal currencies”, and “Special cases”: ISK and UGX have hundredths only at Stripe. */
const zeroDecimal = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
/** Their last digit has to be 0. */
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));

/** How many of the smallest units of Stripe one of ours is. */
export function stripeUnitsIn(currency: string): number {
  const digits = zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2;
  return 10 ** (digits - digitsOf(currency));
}

/** The least and the most that can be paid online at once, in the smallest unit of the currency. */
export function payableLimits(currency: string): { least: number; most: number } {
  const [units = 0.5] =
    Object.entries(leastUnits).find(([, currencies]) => currencies.includes(currency)) ?? [];
  const most = 10 ** (mostDigits[currency] ?? 8) - (threeDecimal.has(currency) ? 10 : 1);
  return {
    least: Math.ceil(Number(units) * 10 ** digitsOf(currency)),
    most: Math.floor(most / stripeUnitsIn(currency)),
  };
}

/** Whether an amount in the smallest unit of its currency can be paid online. */
export function isPayable(minor: number, currency: string): boolean {
  const { least, most } = payableLimits(currency);
  const isWhole = (minor * stripeUnitsIn(currency)) % (threeDecimal.has(currency) ? 10 : 1) === 0;
  return isWhole && minor >= least && minor <= most;
}

/** The step between the amounts that can be paid in a currency, as SQL. */
export function stepPayable(currency: string): string {
  return `iif(instr('${[...threeDecimal].join(' ')}', ${currency}), 10, 1)`;
}

/** By the expression of the currency. */
const leastAsSql = new Map<string, string>();

/** The least amount in a currency as SQL: of all that this runtime knows, whose digits it knows. */
export function leastPayable(currency: string): string {
  const known = leastAsSql.get(currency) ?? caseOfLeasts(currency);
  leastAsSql.set(currency, known);
  return known;
}

function caseOfLeasts(currency: string): string {
  const codesOf = Map.groupBy(
    Intl.supportedValuesOf('currency'),
    (code) => payableLimits(code).least,
  );
  codesOf.delete(50);
  const cases = [...codesOf].map(
    ([least, codes]) => `WHEN instr('${codes}', ${currency}) THEN ${least}`,
  );
  return `CASE ${cases.join(' ')} ELSE 50 END`;
}
