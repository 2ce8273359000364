import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { BackToSchedule } from '#features/meetings/meeting-pages.tsx';
import { Attendance } from '#features/papers/attendance.tsx';
import { findAttendance } from '#features/papers/find-attendance.ts';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function AttendancePage({ id, query }: PageProps<'/cohorts/[id]/attendance'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    attendance: findAttendance(id, query),
  });
  const { cohort, attendance } = request.answers;
  const { t } = useLingui();
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section={null} title={t`Attendance sheet`}>
      <BackToSchedule cohortId={id} />
      <Attendance cohort={cohort} {...attendance} />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
