import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { CohortFrame } from '#features/cohorts/cohort-frame.tsx';
import { findOwnCohort } from '#features/cohorts/find-own-cohort.ts';
import { CopyCohort } from '#features/cohorts/plan-pages.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { changeableOr404, requireCourse } from '#page-request.ts';

export default async function CopyCohortPage({ id }: PageProps<'/cohorts/[id]/duplicate'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id) });
  const cohort = changeableOr404(request.answers.cohort);
  const { t } = useLingui();
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
