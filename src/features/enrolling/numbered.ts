/** A text with a number that only the browser knows, which is `#` in it. */
export type Numbered = { one: string; other: string };

/** Makes it of a text with a plural, as English and French have it. */
export function numbered(textOf: (n: number) => string): Numbered {
  const [one, other] = [1, 2].map((n) => textOf(n).replace(String(n), '#'));
  return { one: one ?? '', other: other ?? '' };
}
