import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { SearchField, SearchResults } from '#features/lessons/lesson-search.tsx';
import { LessonsSubPage } from '#features/lessons/lessons-subpage.tsx';
import { searchDrafts } from '#features/lessons/search-drafts.ts';
import { readQuery } from '#features/lessons/search-lessons.ts';
import { requireCourse } from '#page-request.ts';

/** What is found in the lessons of the selected course, as they are written now. */
export default async function LessonSearchPage({ query }: PageProps<'/lessons/search'>) {
  const request = await requireCourse({ found: searchDrafts(readQuery(query).query) });
  const { t } = useLingui();
  return (
    <LessonsSubPage request={request} title={t`Find in lessons`}>
      <SearchField action={lessonPaths.search} typedQuery={readQuery(query).typedQuery} />
      <SearchResults
        {...readQuery(query)}
        found={request.answers.found}
        pathOf={lessonPaths.lesson}
      />
    </LessonsSubPage>
  );
}
