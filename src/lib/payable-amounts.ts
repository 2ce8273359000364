import { digitsOf } from './price.ts';

/**
 * What Stripe takes in one payment, from https://docs.stripe.com/currencies as it was in 2026: "Zero-
 * decimal currencies", "Special cases", "Minimum and maximum charge amounts".
 *
 * The least, in whole units. Most are Stripe's. A currency of which it names none has to be worth as
 * much as that of the seller's own, about half a US dollar: that is from 5 on, by the power of ten
 * that a dollar was worth. All others are from 0.50.
 */
const leastUnits: [units: number, currencies: string][] = [
  [0.3, 'GBP'],
  [2, 'AED MYR PLN RON'],
  [2.5, 'DKK'],
  [3, 'NOK SEK'],
  [4, 'HKD'],
  [
    5,
    'ANG AWG AZN BAM BBD BND BOB BYN BZD CNY FJD GEL GTQ LYD MAD MOP PEN PGK QAR SAR SVC TND TOP TTD WST XCD XCG',
  ],
  [10, 'MXN THB'],
  [15, 'CZK'],
  [
    50,
    'BWP DOP EGP ETB GMD GHS HNL JPY KGS KRW LSL MDL MKD MUR MVR MZN NAD NIO SCR SLE SRD STN SZL TJS TRY TWD UAH UYU ZMW',
  ],
  [175, 'HUF'],
  [
    500,
    'AFN ALL AMD BDT CRC CVE DJF DZD GYD HTG ISK JMD KES KMF KZT LKR LRD NPR PKR RSD SOS VUV XAF XOF XPF YER',
  ],
  [5_000, 'AOA BIF CDF CLP GNF IQD KHR MGA MMK MNT MWK NGN PYG RWF TZS UGX'],
  [50_000, 'IRR KPW LAK LBP SLL STD SYP UZS VND'],
];

/** The digits of the most: where all ways to pay have more, or cards have by name. Others: 8. */
const mostDigits: Record<string, number> = { IDR: 12, LBP: 11, COP: 10, HUF: 10, INR: 9 };

/** Currencies whose smallest unit at Stripe is not a hundredth. ISK and UGX have one only there. */
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
  const units = leastUnits.find(([, currencies]) => currencies.includes(currency))?.[0] ?? 0.5;
  const most = 10 ** (mostDigits[currency] ?? 8) - 1;
  return {
    least: Math.ceil(units * 10 ** digitsOf(currency)),
    most: Math.floor(most / stripeUnitsIn(currency)),
  };
}

/** Whether an amount in the smallest unit of its currency can be paid online. */
export function isPayable(minor: number, currency: string): boolean {
  const { least, most } = payableLimits(currency);
  const isWhole = (minor * stripeUnitsIn(currency)) % (threeDecimal.has(currency) ? 10 : 1) === 0;
  return isWhole && minor >= least && minor <= most;
}

let leastAsSql: string | undefined;

/** The least amount in a currency as SQL: of all that this runtime knows, whose digits it knows. */
export function leastPayable(currency: string): string {
  leastAsSql ??= caseOfLeasts();
  return leastAsSql.replaceAll('?', currency);
}

function caseOfLeasts(): string {
  const byLeast = Map.groupBy(
    Intl.supportedValuesOf('currency'),
    (code) => payableLimits(code).least,
  );
  byLeast.delete(50);
  const cases = [...byLeast].map(([least, codes]) => `WHEN instr('${codes}', ?) THEN ${least}`);
  return `CASE ${cases.join(' ')} ELSE 50 END`;
}
