import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { ImportPeople } from '#features/lists/import-page.tsx';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { isPast, NoMorePeople } from '#features/roster/no-more-people.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function ImportPeoplePage({ id }: PageProps<'/cohorts/[id]/import'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id) });
  const { cohort } = request.answers;
  const { t } = useLingui();
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  if (isPast(cohort, request.ctx.now())) {
    return (
      <CohortFrame request={request} cohort={cohort} section={null} title={t`Import people`}>
        <p className="text-muted">
          <NoMorePeople cohort={cohort} />
        </p>
      </CohortFrame>
    );
  }
  return (
    <CohortFrame request={request} cohort={cohort} section={null} title={t`Import people`}>
      <p className="text-muted">
        <Trans>
          Nothing changes until you’ve seen what each line does. Details you already have about
          people stay as they are.
        </Trans>
      </p>
      <ImportPeople cohort={cohort} />
      <LeaveDialog />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
