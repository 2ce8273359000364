import { msg } from '@lingui/core/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findScheduleTable } from '#features/meetings/change-schedule.ts';
import { EditAll } from '#features/meetings/meeting-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function WholeSchedulePage({
  id,
  query,
}: PageProps<'/cohorts/[id]/schedule/all'>) {
  return cohortPage(
    id,
    msg`Edit all sessions`,
    { table: findScheduleTable(id) },
    ({ cohort, table }) => (
      <>
        <EditAll cohort={cohort} table={table} off={new URLSearchParams(query).get('off')} />
        <LeaveDialog />
      </>
    ),
    { section: 'schedule' },
  );
}
