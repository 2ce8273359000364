import { Trans, useLingui } from '@lingui/react/macro';
import { LessonsSubPage } from '#features/lessons/lessons-subpage.tsx';
import { listTrashedLessons } from '#features/lessons/list-trash.ts';
import { TrashList } from '#features/lessons/trash-list.tsx';
import { requireCourse } from '#page-request.ts';

export default async function TrashedLessonsPage() {
  const request = await requireCourse({ lessons: listTrashedLessons });
  const { t } = useLingui();
  const name = <bdi>{request.course.name}</bdi>;
  return (
    <LessonsSubPage request={request} title={t`Trash`} about={<Trans>Lessons of {name}</Trans>}>
      <TrashList lessons={request.answers.lessons} />
    </LessonsSubPage>
  );
}
