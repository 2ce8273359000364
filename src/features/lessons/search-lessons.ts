import { nameKeyOf } from '#lib/text.ts';

/** A lesson to search in. */
export type SearchedLesson = { id: string; title: string; section: string | null; text: string };

/** A found place: what is found, and some words before and after it. */
export type Match = { before: string; found: string; after: string };

/** A lesson that was found by its title, its text, or both. */
export type FoundLesson = Omit<SearchedLesson, 'text'> & {
  inTitle: Match | null;
  inText: Match | null;
};

/** The most characters of a query, and the fewest. */
export const queryLength = { most: 100, least: 2 };

/** How much of a text stands on each side of what is found. */
const contextLength = 80;

/** Each is a word or more. */
const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The query of an address, as it was typed and as it is searched for: empty if it is too short. */
export function readQuery(search: string): { typedQuery: string; query: string } {
  const typedQuery = (new URLSearchParams(search).get('q') ?? '').slice(0, queryLength.most).trim();
  const isEnough =
    folding()(typedQuery).length >= queryLength.least || wordPattern.test(typedQuery);
  return { typedQuery, query: isEnough ? typedQuery : '' };
}

/**
 * The lessons that have a text in their title or text, without regard to accents and capitals, kinds
 * of quotes, dashes and spaces, and what can't be seen.
 */
export function searchLessons(lessons: readonly SearchedLesson[], query: string): FoundLesson[] {
  const fold = folding();
  const key = fold(spaced(query).trim());
  return lessons.flatMap(({ text, ...lesson }) => {
    const inTitle = matchIn(lesson.title, key, fold, 1_000);
    const inText = matchIn(text, key, fold, contextLength);
    return inTitle === null && inText === null ? [] : { ...lesson, inTitle, inText };
  });
}

/** @param key the query, folded */
function matchIn(typed: string, key: string, fold: Fold, context: number): Match | null {
  const text = spaced(typed);
  const at = key === '' ? -1 : fold(text).indexOf(key);
  if (at === -1) {
    return null;
  }
  const start = placeOf(text, at, fold);
  const end = placeOf(text, at + key.length, fold);
  return {
    before: shortened(text.slice(0, start), -context),
    found: text.slice(start, end),
    after: shortened(text.slice(end), context),
  };
}

/** Where a character of a folded text was in it. */
function placeOf(text: string, index: number, fold: Fold): number {
  let [place, before] = [0, 0];
  while (place < text.length) {
    const code = text.codePointAt(place) ?? 0;
    // What is looked at of a long text is mostly ASCII.
    const length = code < 128 ? 1 : fold(String.fromCodePoint(code)).length;
    // Marks belong to the letter before them.
    if (length > 0 && before >= index) {
      return place;
    }
    place += code > 0xff_ff ? 2 : 1;
    before += length;
  }
  return place;
}

/** A text with one space for each white space. */
function spaced(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ');
}

type Fold = (text: string) => string;

/** What lower case alone may not make comparable: neither ASCII nor other plain letters. */
const otherPattern = /[^\0-\x7fα-ρσ-ωа-ик-я一-鿿]/gu;

/**
 * Texts as they are compared, each character for itself: as names are, with one kind of quotes,
 * dashes and small sigmas, and without what can't be seen.
 */
function folding(): Fold {
  // Folding takes a hundred times as long as looking up.
  const known = new Map<string, string>();
  return (text) =>
    text.toLowerCase().replace(otherPattern, (character) => {
      const folded = known.get(character) ?? foldCharacter(character);
      known.set(character, folded);
      return folded;
    });
}

function foldCharacter(character: string): string {
  return nameKeyOf(character)
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/, '')
    .replace(/[“”„‟«»]/, '"')
    .replace(/[‘’‚‛]/, "'")
    .replace(/[‐‒–—―−]/, '-')
    .replace('ς', 'σ');
}

/** The words at the beginning of a text, or at its end if the length is negative. */
function shortened(text: string, length: number): string {
  // A character has up to two code units: of a long text, no more is looked at.
  const near = length < 0 ? text.slice(2 * length) : text.slice(0, 2 * length);
  const characters = [...near];
  if (near.length === text.length && characters.length <= Math.abs(length)) {
    return text;
  }
  return length < 0
    ? `…${characters
        .slice(length)
        .join('')
        .replace(/^\S*\s/, '')}`
    : `${characters
        .slice(0, length)
        .join('')
        .replace(/\s\S*$/, '')}…`;
}
