import { Plural, SelectOrdinal, Trans, useLingui } from '@lingui/react/macro';
import { readingMinutes } from '#features/lessons/reading-minutes.ts';
import type { PublicLesson, ReleasedLesson } from './public-outline.ts';

type Row = PublicLesson & Partial<ReleasedLesson> & { number: number };
type OutlineProps = {
  /** Those of an open run say when they open. */
  lessons: PublicLesson[] | ReleasedLesson[];
  /** How many rows are shown at first; the others unfold. */
  most: number;
};

/** The lessons of a course for those who would like to take part. */
export function Outline({ lessons, most }: OutlineProps) {
  if (lessons.length === 0) {
    return null;
  }
  const rows: Row[] = lessons.map((lesson, index) => ({ ...lesson, number: index + 1 }));
  const rest = rows.slice(most);
  return (
    <section aria-labelledby="outline" className="public-outline grid gap-6">
      {rows[0]?.releaseDays !== undefined ? (
        <RunHeading rows={rows} />
      ) : (
        <h2 id="outline">
          <Plural value={rows.length} one="# lesson" other="# lessons" />
        </h2>
      )}
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

/** How many lessons there are, and whether all of them can be read from the start. */
function RunHeading({ rows }: { rows: Row[] }) {
  const count = rows.length;
  const opensLater = rows.some(({ releaseDays }) => (releaseDays ?? 0) > 0);
  return (
    <div>
      <h2 id="outline">
        <Plural
          value={count}
          _1="One lesson"
          _2="Two lessons"
          _3="Three lessons"
          _4="Four lessons"
          _5="Five lessons"
          _6="Six lessons"
          _7="Seven lessons"
          _8="Eight lessons"
          _9="Nine lessons"
          _10="Ten lessons"
          _11="Eleven lessons"
          _12="Twelve lessons"
          other="# lessons"
        />
      </h2>
      <p className="text-sm text-muted">
        {opensLater ? (
          <Trans>They open one after the other, counted from the day you start.</Trans>
        ) : (
          <Plural
            value={count}
            one="It is open from the start."
            other="All of them are open from the start."
          />
        )}
      </p>
    </div>
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
    const days = id === shown ? 0 : (own[0]?.releaseDays ?? 0);
    return (
      <div key={id}>
        {(heading !== null || days > 0) && (
          <div className="flex flex-wrap items-baseline gap-x-4 pb-2">
            {heading !== null && (
              <h3 className="mb-2 font-serif text-[1.125rem] wrap-anywhere" dir="auto">
                {heading}
              </h3>
            )}
            {days > 0 && (
              <p className="mb-2 ml-auto text-sm text-muted">
                <SelectOrdinal value={days} one="Opens on day #" other="Opens on day #" />
              </p>
            )}
          </div>
        )}
        <ol className="border-line border-b" start={own[0]?.number}>
          {own.map(({ number, title, minutes, words }) => (
            <li
              key={number}
              className="flex min-h-12 items-baseline gap-3 border-line border-t py-3"
            >
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
