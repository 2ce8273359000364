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

/** The query of an address, as it was typed and as it is searched for: empty if it is too short. */
export function readQuery(search: string): { typedQuery: string; query: string } {
  const typedQuery = (new URLSearchParams(search).get('q') ?? '').slice(0, queryLength.most).trim();
  return { typedQuery, query: typedQuery.length < queryLength.least ? '' : typedQuery };
}

/** The lessons that have a text in their title or text, without regard to accents and capitals. */
export function searchLessons(lessons: readonly SearchedLesson[], query: string): FoundLesson[] {
  return lessons.flatMap(({ text, ...lesson }) => {
    const inTitle = matchIn(lesson.title, query, 1_000);
    const inText = matchIn(text, query, contextLength);
    return inTitle === null && inText === null ? [] : { ...lesson, inTitle, inText };
  });
}

function matchIn(text: string, query: string, context: number): Match | null {
  const key = keyOf(query);
  // Folding character by character takes a hundred times as long: only the part with a match is.
  const parts = text.match(/.{1,500}/gsu) ?? [];
  const folded = parts.map(keyOf);
  const at = folded.join('').indexOf(key);
  if (key === '' || at === -1) {
    return null;
  }
  const start = placeOf(at, parts, folded);
  const end = placeOf(at + key.length, parts, folded);
  return {
    before: shortened(text.slice(0, start), -context),
    found: text.slice(start, end),
    after: shortened(text.slice(end), context),
  };
}

/** Where a character of the folded parts of a text was in it. */
function placeOf(index: number, parts: readonly string[], folded: readonly string[]): number {
  let [place, before] = [0, 0];
  for (const [no, part] of parts.entries()) {
    const length = folded[no]?.length ?? 0;
    if (before + length <= index) {
      place += part.length;
      before += length;
      continue;
    }
    for (const character of part) {
      const ofCharacter = keyOf(character).length;
      // Marks belong to the letter before them.
      if (ofCharacter > 0 && before >= index) {
        return place;
      }
      place += character.length;
      before += ofCharacter;
    }
  }
  return place;
}

/** A text as names are compared, with either apostrophe and either small sigma. */
function keyOf(text: string): string {
  return nameKeyOf(text).replaceAll('’', "'").replaceAll('ς', 'σ');
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
