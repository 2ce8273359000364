import type { PageProps } from 'waku/router';
import { findAccount } from '#features/ledger/find-accounts.ts';
import { PersonPayments } from '#features/ledger/person-payments.tsx';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { findDetails } from '#features/roster/find-roster.ts';
import { findTargets } from '#features/roster/find-targets.ts';
import { PersonDetails } from '#features/roster/person-details.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function PersonPage({
  id,
  enrollment,
}: PageProps<'/cohorts/[id]/roster/[enrollment]'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    details: findDetails(id, enrollment),
    targets: findTargets(id),
    account: findAccount(id, enrollment),
  });
  const { ctx, answers } = request;
  const { cohort, details, targets, account } = answers;
  if (cohort === null || details === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section="roster">
      <PersonDetails
        cohort={cohort}
        details={details}
        now={ctx.now()}
        targets={targets}
        payments={account && <PersonPayments account={account} />}
      />
      <LeaveDialog />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
