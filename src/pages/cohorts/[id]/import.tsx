import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { ImportPeople } from '#features/lists/import-page.tsx';
import { isPast, PastCohort } from '#features/roster/people-lists.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function ImportPeoplePage({ id }: PageProps<'/cohorts/[id]/import'>) {
  return cohortPage(
    id,
    msg`Import people`,
    {},
    ({ cohort }, ctx) =>
      isPast(cohort, ctx.now()) ? (
        <p className="text-muted">
          <PastCohort cohort={cohort} />
        </p>
      ) : (
        <>
          <p className="text-muted">
            <Trans>
              Nothing changes until you’ve seen what each line does. Details you already have about
              people stay as they are.
            </Trans>
          </p>
          <ImportPeople cohort={cohort} />
          <LeaveDialog />
        </>
      ),
    { section: 'roster' },
  );
}
