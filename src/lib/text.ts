/** The length of a text in code points, so that an emoji or a rare letter counts once. */
export function characterCount(text: string): number {
  return [...text].length;
}

const visiblePattern = /[\p{L}\p{N}\p{P}\p{S}]/u;
// Control characters, lone surrogates, line breaks and characters that change the text direction.
const unprintablePattern = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a name shows something, in one line, and does not change how texts around it look. */
export function isPrintable(name: string): boolean {
  return visiblePattern.test(name) && !unprintablePattern.test(name);
}

/** Whether a text, of several lines or empty, has only what can be shown. */
export function isPrintableText(text: string): boolean {
  return !unprintablePattern.test(text.replace(/[\n\t]/g, ''));
}

/** Normalizes spaces, accents and invisible characters, so that texts that look alike are equal. */
export function visibleText(text: string): string {
  const seen = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return seen.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** A text with the digits of ASCII for those of Japanese, Chinese, Arabic and Persian keyboards. */
export function withPlainDigits(text: string): string {
  const digits = /[\u0660-\u0669\u06f0-\u06f9]/g;
  return text.normalize('NFKC').replace(digits, (digit) => String(digit.charCodeAt(0) % 16));
}

/** Makes a search ignore case and accents. */
export function simplify(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

const readableLength = 60;

/** A name as addresses and files have it, as far as ASCII can write it: `the-short-story`. */
export function readableName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  // Cut before the word that is too much, if it is not the only one.
  return words.length <= readableLength
    ? words
    : words
        .slice(0, readableLength + 1)
        .replace(/-[^-]*$/, '')
        .slice(0, readableLength);
}

/** How long a title may be in a subject or in the name of a window. */
const shortTitleLength = 48;

/** A title without its subtitle if it is long, or cut after a word: `The Short Story`. */
export function shortTitle(title: string): string {
  if (title.length <= shortTitleLength) {
    return title;
  }
  const [head = ''] = title.split(/\s*[:\u2013\u2014]\s+/u, 1);
  return head.length > 2 && head.length <= shortTitleLength
    ? head
    : cutAfterWord(title, shortTitleLength);
}

/** As much of a text as there is room for, whole words if it has any, and an ellipsis. */
export function cutAfterWord(text: string, length: number): string {
  // By code points, so that no character is cut in half.
  return `${[...text]
    .slice(0, length)
    .join('')
    .replace(/\s+\S*$/, '')}…`;
}

/**
 * A name for the middle of a title, in its own direction like in `<bdi>`. The title stays one text,
 * whose parts do not move on their own when its font arrives.
 */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

/** A name without accents and capitals, for order and search: “elodie” finds Élodie. */
export function nameKeyOf(name: string): string {
  return simplify(name)
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l');
}
