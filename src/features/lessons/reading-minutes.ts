/** As most people read. */
const wordsPerMinute = 200;

/** How long a lesson takes: as its author has typed it, or else estimated by its words. */
export function readingMinutes({ minutes, words }: { minutes: number | null; words: number }) {
  return minutes ?? Math.max(1, Math.ceil(words / wordsPerMinute));
}
