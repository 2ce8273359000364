import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type FoundLesson, type Match, queryLength } from './search-lessons.ts';

type SearchFieldProps = {
  /** The page with the results. */
  action: string;
  /** What was typed before. */
  typedQuery?: string;
};

/** A field that finds lessons by their titles and texts. It works without scripts. */
export function SearchField({ action, typedQuery = '' }: SearchFieldProps) {
  const { t } = useLingui();
  return (
    <search>
      <form action={action} className="lesson-search max-w-96">
        <input
          // The field shows what the address says, also after going back.
          key={typedQuery}
          type="search"
          name="q"
          className="input"
          defaultValue={typedQuery}
          placeholder={t`Find in lessons`}
          aria-label={t`Find in lessons`}
          maxLength={queryLength.most}
          autoComplete="off"
          enterKeyHint="search"
          dir="auto"
        />
        <button type="submit" className="sr-only">
          <Trans>Find</Trans>
        </button>
      </form>
    </search>
  );
}

type SearchResultsProps = {
  typedQuery: string;
  /** Empty if it is too short. */
  query: string;
  found: readonly FoundLesson[];
  pathOf: (id: string) => string;
};

/** The lessons that were found, each with the place in its text. */
export function SearchResults({ typedQuery, query, found, pathOf }: SearchResultsProps) {
  const count = found.length;
  const words = <bdi>{typedQuery}</bdi>;
  return (
    <section aria-live="polite" className="mt-6 grid max-w-154 gap-4">
      <p className="text-muted">
        {query === '' ? (
          <Trans>Type at least two characters.</Trans>
        ) : count === 0 ? (
          <Trans>No lesson has “{words}”.</Trans>
        ) : (
          <Plural value={count} one="# lesson found" other="# lessons found" />
        )}
      </p>
      <ol>
        {found.map(({ id, title, section, inTitle, inText }) => (
          <li
            key={id}
            className="grid justify-items-start gap-1 border-t border-line py-3.5 wrap-anywhere"
          >
            {section !== null && (
              <small className="text-muted text-sm" dir="auto">
                {section}
              </small>
            )}
            <a className="link" href={pathOf(id)} dir="auto">
              {inTitle === null ? title : <Marked {...inTitle} />}
            </a>
            {inText !== null && (
              <p className="text-muted" dir="auto">
                <Marked {...inText} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Marked({ before, found, after }: Match) {
  return (
    <>
      {before}
      <mark className="rounded-[2px] bg-wash font-semibold text-accent forced-colors:bg-[Mark] forced-colors:text-[MarkText]">
        {found}
      </mark>
      {after}
    </>
  );
}
