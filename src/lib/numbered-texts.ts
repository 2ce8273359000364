/** A text with a number that only the browser knows, which is `#` in it. */
export type Numbered = { one: string; other: string };

/** Makes it of a text with a plural, as English and French have it. */
export function numbered(textOf: (n: number) => string): Numbered {
  const [one, other] = [1, 2].map((n) => textOf(n).replace(String(n), '#'));
  return { one: one ?? '', other: other ?? '' };
}

/** The text with its number. */
export function withNumber({ one, other }: Numbered, n: number, locale: string): string {
  const isOne = new Intl.PluralRules(locale).select(n) === 'one';
  return (isOne ? one : other).replace('#', n.toLocaleString(locale));
}
