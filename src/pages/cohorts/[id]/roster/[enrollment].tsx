import type { PageProps } from 'waku/router';
import { CohortFrame } from '#features/cohorts/cohort-frame.tsx';
import { findOwnCohort } from '#features/cohorts/find-own-cohort.ts';
import { findAccount } from '#features/payments/find-accounts.ts';
import { PersonPayments } from '#features/payments/person-payments.tsx';
import { findDetails } from '#features/people/find-roster.ts';
import { findTargets } from '#features/people/find-targets.ts';
import { PersonDetails } from '#features/people/person-details.tsx';
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
