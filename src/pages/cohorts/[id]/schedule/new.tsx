import { msg } from '@lingui/core/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { AddMeeting } from '#features/meetings/meeting-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function NewMeetingPage({ id }: PageProps<'/cohorts/[id]/schedule/new'>) {
  return cohortPage(
    id,
    msg`Add session`,
    { meetings: findSchedule(id) },
    ({ cohort, meetings }) => (
      <>
        <AddMeeting cohort={cohort} last={meetings.at(-1)} />
        <LeaveDialog />
      </>
    ),
    { section: 'schedule' },
  );
}
