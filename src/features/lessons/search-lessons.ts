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

/** The most characters of what is sought, and the fewest. */
export const soughtLength = { most: 100, least: 2 };

/** How much of a text stands on each side of what is found. */
const contextLength = 80;

/** What is sought, as an address says it; empty if it is too short. */
export function soughtIn(query: string): { typed: string; sought: string } {
  const typed = (new URLSearchParams(query).get('q') ?? '').slice(0, soughtLength.most).trim();
  return { typed, sought: typed.length < soughtLength.least ? '' : typed };
}

/** The lessons that have a text in their title or text, without regard to accents and capitals. */
export function searchLessons(lessons: readonly SearchedLesson[], sought: string): FoundLesson[] {
  return lessons.flatMap(({ text, ...lesson }) => {
    const inTitle = matchIn(lesson.title, sought, 1_000);
    const inText = matchIn(text, sought, contextLength);
    return inTitle === null && inText === null ? [] : { ...lesson, inTitle, inText };
  });
}

function matchIn(text: string, sought: string, context: number): Match | null {
  const key = keyOf(sought);
  // Long texts are folded as a whole, which is fast; places in them are looked for only if need be.
  if (key === '' || !keyOf(text).includes(key)) {
    return null;
  }
  const { folded, places } = fold(text);
  const at = folded.indexOf(key);
  if (at === -1) {
    return null;
  }
  const start = places[at] ?? 0;
  const end = places[at + key.length] ?? text.length;
  return {
    before: shortened(text.slice(0, start), -context),
    found: text.slice(start, end),
    after: shortened(text.slice(end), context),
  };
}

/** A text as names are compared, with either apostrophe. */
function keyOf(text: string): string {
  return nameKeyOf(text).replaceAll('’', "'");
}

/** A text as it is compared, and where each of its characters was. */
function fold(text: string): { folded: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const key = keyOf(character);
    for (let no = 0; no < key.length; no += 1) {
      places.push(place);
    }
    folded += key;
    place += character.length;
  }
  return { folded, places };
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
