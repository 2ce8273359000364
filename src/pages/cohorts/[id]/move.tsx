import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { MoveCohort } from '#features/planning/plan-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function MoveCohortPage({ id }: PageProps<'/cohorts/[id]/move'>) {
  return cohortPage(
    id,
    msg`Move all dates`,
    {},
    ({ cohort }) => (
      <>
        <p className="text-muted">
          <Trans>
            Enrollment moves with the first day, and clock times stay as they are. Nothing changes
            until you have seen all dates.
          </Trans>
        </p>
        <MoveCohort cohort={cohort} />
        <LeaveDialog />
      </>
    ),
    { needsDates: true },
  );
}
