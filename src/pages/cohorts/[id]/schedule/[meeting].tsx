import { msg } from '@lingui/core/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findOwnMeeting } from '#features/meetings/list-meetings.ts';
import { BackToSchedule, ChangeMeeting } from '#features/meetings/meeting-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function MeetingPage({
  id,
  meeting: meetingId,
}: PageProps<'/cohorts/[id]/schedule/[meeting]'>) {
  return cohortPage(
    id,
    msg`Change session`,
    { meeting: findOwnMeeting(id, meetingId) },
    ({ cohort, meeting }) =>
      // A canceled one is not changed any more.
      meeting === null || meeting.status === 'cancelled' ? null : (
        <>
          <BackToSchedule cohortId={id} />
          <ChangeMeeting cohort={cohort} meeting={meeting} />
          <LeaveDialog />
        </>
      ),
  );
}
