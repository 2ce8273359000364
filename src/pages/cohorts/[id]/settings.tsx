import type { PageProps } from 'waku/router';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { CohortSettings } from '#features/planning/cohort-settings.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function CohortSettingsPage({ id }: PageProps<'/cohorts/[id]/settings'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id) });
  const { cohort } = request.answers;
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section="settings">
      <CohortSettings cohort={cohort} />
      <LeaveDialog />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
