import { msg } from '@lingui/core/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { AddWeekly } from '#features/meetings/meeting-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function WeeklyMeetingsPage({
  id,
}: PageProps<'/cohorts/[id]/schedule/weekly'>) {
  return cohortPage(
    id,
    msg`Add weekly sessions`,
    { meetings: findSchedule(id) },
    ({ cohort, meetings }) => (
      <>
        <AddWeekly cohort={cohort} last={meetings.at(-1)} />
        <LeaveDialog />
      </>
    ),
    { section: 'schedule' },
  );
}
