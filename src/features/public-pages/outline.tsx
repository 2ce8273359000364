import { Plural, useLingui } from '@lingui/react/macro';
import { readingMinutes } from '#features/lessons/reading-minutes.ts';
import type { PublicLesson } from './public-outline.ts';

type Row = PublicLesson & { number: number };
type OutlineProps = { lessons: PublicLesson[]; most: number };

/**
 * The lessons of a course for those who would like to take part.
 *
 * @param most how many rows are shown at first; the others unfold
 */
export function Outline({ lessons, most }: OutlineProps) {
  if (lessons.length === 0) {
    return null;
  }
  const rows = lessons.map((lesson, index) => ({ ...lesson, number: index + 1 }));
  const rest = rows.slice(most);
  return (
    <section aria-labelledby="outline" className="public-outline">
      <h2 id="outline">
        <Plural value={rows.length} one="# lesson" other="# lessons" />
      </h2>
      <Rows rows={rows.slice(0, most)} shown={null} />
      {rest.length > 0 && (
        <details>
          <summary className="button button-quiet">
            <Plural value={rest.length} one="Show # more" other="Show # more" />
          </summary>
          <Rows rows={rest} shown={rows[most - 1]?.section ?? null} />
        </details>
      )}
    </section>
  );
}

/** @param shown the section whose heading stands above already */
function Rows({ rows, shown }: { rows: Row[]; shown: string | null }) {
  const { i18n } = useLingui();
  const ids = [...new Set(rows.map(({ section }) => section))];
  const minute = new Intl.NumberFormat(i18n.locale, { style: 'unit', unit: 'minute' });
  return ids.map((id) => {
    const own = rows.filter(({ section }) => section === id);
    const heading = id === shown ? null : (own[0]?.heading ?? null);
    return (
      <div key={id}>
        {heading !== null && <h3 dir="auto">{heading}</h3>}
        <ol start={own[0]?.number}>
          {own.map(({ number, title, minutes, words }) => (
            <li key={number}>
              <span className="w-6 shrink-0 font-serif text-lg text-muted" aria-hidden="true">
                {number}
              </span>
              <span className="min-w-0 flex-1 font-medium wrap-anywhere" dir="auto">
                {title}
              </span>
              <span className="text-sm text-muted">
                {minute.format(readingMinutes({ minutes, words }))}
              </span>
            </li>
          ))}
        </ol>
      </div>
    );
  });
}
