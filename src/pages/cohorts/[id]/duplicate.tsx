import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findScheduleTable } from '#features/meetings/change-schedule.ts';
import { CopyCohort } from '#features/planning/plan-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function CopyCohortPage({ id }: PageProps<'/cohorts/[id]/duplicate'>) {
  return cohortPage(
    id,
    msg`Duplicate`,
    { table: findScheduleTable(id) },
    ({ cohort, table }) => (
      <>
        <p className="text-muted">
          <Trans>
            Creates a draft with the same settings and sessions. People, days on which sections open
            in this cohort only, the public link and the meeting link stay behind.
          </Trans>
        </p>
        <CopyCohort cohort={cohort} hasGaps={table.days_off.length > 0} />
        <LeaveDialog />
      </>
    ),
    { needsDates: true },
  );
}
