import { Trans, useLingui } from '@lingui/react/macro';
import { AllLessonsLink } from '#features/lessons/all-lessons-link.tsx';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { listTrashedLessons } from '#features/lessons/list-trash.ts';
import { TrashList } from '#features/lessons/trash-list.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';

export default async function TrashedLessonsPage() {
  const request = await requireCourse({ lessons: listTrashedLessons });
  const { t } = useLingui();
  const name = <bdi>{request.course.name}</bdi>;
  return (
    <AppShell
      request={request}
      current={lessonPaths.list}
      title={t`Trash`}
      trail={[{ to: lessonPaths.list, label: t`Lessons` }]}
    >
      <div className="page-head page-head-actions">
        <div>
          <h1>{t`Trash`}</h1>
          <p>
            <Trans>Lessons of {name}</Trans>
          </p>
        </div>
        <AllLessonsLink />
      </div>
      <TrashList lessons={request.answers.lessons} />
    </AppShell>
  );
}
