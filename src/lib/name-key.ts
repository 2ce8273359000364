import { simplify } from '#lib/text.ts';

/** A name without accents and capitals, for order and search: “elodie” finds Élodie. */
export function nameKeyOf(name: string): string {
  return simplify(name)
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l');
}
