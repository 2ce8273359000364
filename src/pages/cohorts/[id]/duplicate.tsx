import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { CopyCohort } from '#features/planning/plan-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function CopyCohortPage({ id }: PageProps<'/cohorts/[id]/duplicate'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id) });
  const { cohort } = request.answers;
  const { t } = useLingui();
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section={null} title={t`Duplicate`}>
      <p className="text-muted">
        <Trans>
          The copy is a draft with the same settings and as many days. People, the public address
          and the meeting link stay behind.
        </Trans>
      </p>
      <CopyCohort cohort={cohort} name={cohort.name} />
      <LeaveDialog />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
