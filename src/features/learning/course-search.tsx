import { Trans, useLingui } from '@lingui/react/macro';
import { textOf } from '#features/documents/render-document.ts';
import { SearchField, SearchResults } from '#features/lessons/lesson-search.tsx';
import { searchLessons } from '#features/lessons/search-lessons.ts';
import { LearnerFrame } from './learner-frame.tsx';
import type { Outline, Ways } from './outline.ts';
import type { LearnerLessonText } from './schema.ts';

type CourseSearchProps = {
  outline: Outline;
  ways: Ways;
  /** Those that are open. */
  lessons: readonly Omit<LearnerLessonText, 'files'>[];
  typedQuery: string;
  query: string;
};

/** What is found in the lessons of a course that are open. */
export function CourseSearch(props: CourseSearchProps) {
  const { outline, ways, lessons, typedQuery, query } = props;
  const { t } = useLingui();
  const { course, person } = outline;
  return (
    <LearnerFrame title={t`Find in lessons`} person={person} className="mx-auto max-w-154">
      <header className="mt-4 mb-12 grid justify-items-start gap-3">
        <h1 dir="auto">{course.name}</h1>
        <div className="actions">
          <a className="button button-quiet" href={ways.course}>
            <Trans>Back to the course</Trans>
          </a>
        </div>
      </header>
      {ways.search !== null && <SearchField action={ways.search} typedQuery={typedQuery} />}
      <SearchResults
        typedQuery={typedQuery}
        query={query}
        found={searchLessons(
          lessons.map(({ id, title, section, html }) => ({
            id,
            title,
            section,
            text: textOf(html),
          })),
          query,
        )}
        pathOf={ways.lesson}
      />
    </LearnerFrame>
  );
}
