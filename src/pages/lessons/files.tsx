import { Trans, useLingui } from '@lingui/react/macro';
import { FileList } from '#features/files/file-list.tsx';
import { findSelectedFiles, toListedFiles } from '#features/files/find-files.ts';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';

export default async function CourseFilesPage() {
  const request = await requireCourse({ files: findSelectedFiles });
  const { t } = useLingui();
  const { course, ctx, answers } = request;
  const name = <bdi>{course.name}</bdi>;
  return (
    <AppShell
      request={request}
      current={lessonPaths.list}
      title={t`Files`}
      trail={[{ to: lessonPaths.list, label: t`Lessons` }]}
    >
      <div className="page-head page-head-actions">
        <div>
          <h1>{t`Files`}</h1>
          <p>
            <Trans>Files of {name}</Trans>
          </p>
        </div>
        <a className="button button-quiet" href={lessonPaths.list}>
          <span className="icon icon-back" />
          <Trans>All lessons</Trans>
        </a>
      </div>
      <FileList
        courseId={course.id}
        files={await toListedFiles(ctx, answers.files)}
        pathOf={lessonPaths.lesson}
      />
    </AppShell>
  );
}
