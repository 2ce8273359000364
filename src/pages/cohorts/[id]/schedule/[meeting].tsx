import { msg } from '@lingui/core/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { ChangeMeeting } from '#features/meetings/meeting-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function MeetingPage({
  id,
  meeting: meetingId,
}: PageProps<'/cohorts/[id]/schedule/[meeting]'>) {
  return cohortPage(
    id,
    msg`Change session`,
    { meetings: findSchedule(id) },
    ({ cohort, meetings }) => {
      // A canceled one is not changed any more.
      const open = meetings.filter(({ status }) => status !== 'cancelled');
      const index = open.findIndex((one) => one.id === meetingId);
      const meeting = open[index];
      return meeting === undefined ? null : (
        <>
          <ChangeMeeting cohort={cohort} meeting={meeting} nextId={open[index + 1]?.id ?? null} />
          <LeaveDialog />
        </>
      );
    },
    { section: 'schedule' },
  );
}
