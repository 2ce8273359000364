/** An amount in the smallest unit of its currency: `€240`, « 240 € ». */
export function priceOf(minor: number, currency: string, locale: string): string {
  return amountOf(minor, currency, locale, 'stripIfInteger');
}

/** An amount with all its digits, for columns: `€240.00`. Its minus is the mathematical sign. */
export function fullPriceOf(minor: number, currency: string, locale: string): string {
  return amountOf(minor, currency, locale, 'auto').replace('-', '−');
}

function amountOf(
  minor: number,
  currency: string,
  locale: string,
  trailingZeroDisplay: 'auto' | 'stripIfInteger',
): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay,
  });
  return format.format(Number(plainAmount(minor, currency)));
}

/** Whether the early price still holds at a moment. In SQL, `priceThen` says the same. */
export function isEarlyAt<Moment extends Date | number>(
  until: Moment | null,
  at: Moment,
): until is Moment {
  return until !== null && at < until;
}

/** How many digits a currency has after its point: none in Japan, three in Kuwait. */
export function digitsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    // What is not a currency is refused by itself.
    return 2;
  }
}

/** An amount for a field or a file, without marks between thousands: 1250 is `12.50`. */
export function plainAmount(minor: number, currency: string, point = '.'): string {
  const digits = digitsOf(currency);
  const [sign, all] = [minor < 0 ? '-' : '', String(Math.abs(minor)).padStart(digits + 1, '0')];
  const whole = all.slice(0, all.length - digits);
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}${point}${all.slice(-digits)}`;
}

/** What stands before the cents in a language. */
export function decimalPoint(locale: string): '.' | ',' {
  return locale.startsWith('fr') ? ',' : '.';
}

/**
 * What someone has typed, in the smallest unit of the currency: `1,234.56`, `1.234,56`,
 * `1 234,56`, `€1234.56` and `1234.56 EUR` are 123456 euro cents. A mark that could be either is
 * not guessed: a wrong guess would be a thousand times too much. Nor is another currency.
 *
 * @returns NaN for what is no amount, null for what can be read two ways or names another currency
 */
export function minorUnits(typed: string, currency: string, locale: string): number | null {
  const digits = digitsOf(currency);
  // An apostrophe and every sort of space, of which some are narrow, are marks between thousands.
  const spaced = typed.trim().replace(/['’\s]/gu, ' ');
  const [, before = '', text = '', after = ''] =
    /^([^\d]*)(\d(?:.*\d)?[.,]?)([^\d.,]*)$/.exec(spaced) ?? [];
  const marks = [before, after].map((mark) => mark.replaceAll(' ', '')).filter(Boolean);
  if (marks.length > 0) {
    const own = marksOf(currency, locale);
    const others = marks.filter((mark) => !own.has(mark.toUpperCase()));
    if (others.length > 0) {
      return others.every(isCurrencyMark) ? null : Number.NaN;
    }
  }
  if (!/^\d[\d ,.]*$/.test(text)) {
    return Number.NaN;
  }
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const [whole, fraction] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const mark = at < 0 ? null : text.charAt(at);
  const isDecimal =
    isGrouped(whole) &&
    !(mark !== null && whole.includes(mark)) &&
    /^\d*$/.test(fraction) &&
    fraction.length <= digits;
  const isWhole = isGrouped(text);
  const isOnlyMark = mark !== null && isWhole && /^\d+$/.test(whole);
  // Three digits after one mark: cents by the language and thousands by their number, or the other
  // way round.
  if (isOnlyMark && isDecimal !== (mark === decimalPoint(locale))) {
    return null;
  }
  if (isDecimal) {
    return Number(`${whole.replaceAll(/\D/g, '')}${fraction.padEnd(digits, '0')}`);
  }
  return isWhole ? Number(`${text.replaceAll(/\D/g, '')}${'0'.repeat(digits)}`) : Number.NaN;
}

/** The code and the symbols of a currency, in capitals: `USD`, `$`, `US$` and `$US`. */
function marksOf(currency: string, locale: string): Set<string> {
  const marks = [currency];
  for (const language of ['en', 'en-GB', 'fr', locale]) {
    for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
      try {
        const format = new Intl.NumberFormat(language, {
          style: 'currency',
          currency,
          currencyDisplay,
        });
        const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
        marks.push((symbol ?? currency).replace(/\s/gu, ''));
      } catch {
        // What is not a currency is refused by itself.
      }
    }
  }
  return new Set(marks.map((mark) => mark.toUpperCase()));
}

/** Whether text beside an amount names a currency: `£`, `US$` or `CHF`. */
function isCurrencyMark(text: string): boolean {
  return /^\p{L}{0,3}\p{Sc}\p{L}{0,3}$/u.test(text) || /^\p{L}{3}$/u.test(text);
}

/** Whether digits are in groups of three with one sort of mark between them, or in none. */
function isGrouped(text: string): boolean {
  return /^\d+$|^[1-9]\d{0,2}(?:([ ,.])\d{3})(?:\1\d{3})*$/.test(text);
}
