import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { AllLessonsLink } from '#features/lessons/all-lessons-link.tsx';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { SearchField, SearchResults } from '#features/lessons/lesson-search.tsx';
import { searchDrafts } from '#features/lessons/search-drafts.ts';
import { readQuery } from '#features/lessons/search-lessons.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';

/** What is found in the lessons of the selected course, as they are written now. */
export default async function LessonSearchPage({ query }: PageProps<'/lessons/search'>) {
  const request = await requireCourse({ found: searchDrafts(readQuery(query).query) });
  const { t } = useLingui();
  return (
    <AppShell
      request={request}
      current={lessonPaths.list}
      title={t`Find in lessons`}
      trail={[{ to: lessonPaths.list, label: t`Lessons` }]}
    >
      <div className="page-head page-head-actions">
        <h1>{t`Find in lessons`}</h1>
        <AllLessonsLink />
      </div>
      <SearchField action={lessonPaths.search} typedQuery={readQuery(query).typedQuery} />
      <SearchResults
        {...readQuery(query)}
        found={request.answers.found}
        pathOf={lessonPaths.lesson}
      />
    </AppShell>
  );
}
