import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { WriteMessage } from '#features/messages/write-message.tsx';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function MessagePage({ id }: PageProps<'/cohorts/[id]/message'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id) });
  const { cohort } = request.answers;
  const { t } = useLingui();
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section={null} title={t`Write to the group`}>
      <p className="text-muted">
        <Trans>
          Everyone who is enrolled gets your message as an email of their own. No one sees who else
          gets it.
        </Trans>
      </p>
      <WriteMessage cohort={cohort} />
      <LeaveDialog />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
