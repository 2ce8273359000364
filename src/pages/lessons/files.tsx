import { Trans, useLingui } from '@lingui/react/macro';
import { FileList } from '#features/files/file-list.tsx';
import { findSelectedFiles, toListedFiles } from '#features/files/find-files.ts';
import { findRoom } from '#features/files/find-room.ts';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { LessonsSubPage } from '#features/lessons/lessons-subpage.tsx';
import { requireCourse } from '#page-request.ts';

export default async function CourseFilesPage() {
  const request = await requireCourse({ files: findSelectedFiles, room: findRoom });
  const { t } = useLingui();
  const { course, ctx, answers } = request;
  const name = <bdi>{course.name}</bdi>;
  const trashed = new Set(
    answers.files.uses.flatMap(({ id, isTrashed }) => (isTrashed === 1 ? [id] : [])),
  );
  return (
    <LessonsSubPage request={request} title={t`Files`} about={<Trans>Files of {name}</Trans>}>
      <FileList
        courseId={course.id}
        files={await toListedFiles(ctx, answers.files)}
        room={answers.room}
        // One in the trash has no page.
        pathOf={(id) => (trashed.has(id) ? lessonPaths.trash : lessonPaths.lesson(id))}
      />
    </LessonsSubPage>
  );
}
