/** Above this, single lessons could no longer be told apart. */
const mostBars = 16;

/** How far someone is, beside the words that say so: a bar for each lesson, or one for many. */
export function LessonBars({ done, of }: { done: number; of: number }) {
  return of > mostBars ? (
    <svg className="lesson-bar" aria-hidden="true">
      <rect width={`${(done / of) * 100}%`} height="100%" />
    </svg>
  ) : (
    <span className="lesson-bars" aria-hidden="true">
      {Array.from({ length: of }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are counted, and nothing else.
        <span key={at} data-done={at < done || undefined} />
      ))}
    </span>
  );
}
