import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findOwnMeeting } from '#features/meetings/find-schedule.ts';
import { BackToSchedule, ChangeMeeting } from '#features/meetings/meeting-pages.tsx';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function MeetingPage({
  id,
  meeting: meetingId,
}: PageProps<'/cohorts/[id]/schedule/[meeting]'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    meeting: findOwnMeeting(id, meetingId),
  });
  const { cohort, meeting } = request.answers;
  const { t } = useLingui();
  // A canceled one is not changed any more.
  if (cohort === null || meeting === null || meeting.status === 'cancelled') {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section={null} title={t`Change session`}>
      <BackToSchedule cohortId={id} />
      <ChangeMeeting cohort={cohort} meeting={meeting} />
      <LeaveDialog />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
