import { Trans, useLingui } from '@lingui/react/macro';
import { ImportForm } from '#features/content-files/import-form.tsx';
import { importTexts } from '#features/content-files/import-texts.ts';
import { findRoom } from '#features/files/find-room.ts';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { LessonsSubPage } from '#features/lessons/lessons-subpage.tsx';
import { problemTexts } from '#i18n/validation.ts';
import { requireCourse } from '#page-request.ts';

export default async function ImportLessonsPage() {
  const request = await requireCourse({ room: findRoom });
  const { i18n, t } = useLingui();
  const { course, answers } = request;
  const name = <bdi>{course.name}</bdi>;
  return (
    <LessonsSubPage request={request} title={t`Import lessons`} about={<Trans>Into {name}</Trans>}>
      <ImportForm
        // What was chosen is for this course.
        key={course.id}
        courseId={course.id}
        hasFiles={request.ctx.files !== null}
        room={answers.room}
        locale={i18n.locale}
        texts={importTexts(i18n)}
        problems={problemTexts(i18n)}
      >
        <a className="button button-primary" href={lessonPaths.list}>
          <Trans>Go to the lessons</Trans>
        </a>
      </ImportForm>
    </LessonsSubPage>
  );
}
