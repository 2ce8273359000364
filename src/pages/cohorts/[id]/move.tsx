import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { MoveCohort } from '#features/planning/plan-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function MoveCohortPage({ id }: PageProps<'/cohorts/[id]/move'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id) });
  const { cohort } = request.answers;
  const { t } = useLingui();
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section={null} title={t`Move all dates`}>
      <p className="text-muted">
        <Trans>
          Enrollment moves with the first day, and clock times stay as they are. Nothing changes
          until you have seen all dates.
        </Trans>
      </p>
      <MoveCohort cohort={cohort} />
      <LeaveDialog />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
