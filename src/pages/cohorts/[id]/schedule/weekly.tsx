import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findSchedule } from '#features/meetings/find-schedule.ts';
import { AddWeekly, BackToSchedule } from '#features/meetings/meeting-pages.tsx';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function WeeklyMeetingsPage({
  id,
}: PageProps<'/cohorts/[id]/schedule/weekly'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id), meetings: findSchedule(id) });
  const { cohort, meetings } = request.answers;
  const { t } = useLingui();
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section={null} title={t`Add weekly sessions`}>
      <BackToSchedule cohortId={id} />
      <AddWeekly cohort={cohort} last={meetings.at(-1)} />
      <LeaveDialog />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
