import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findAccount } from '#features/ledger/find-accounts.ts';
import { PersonPayments } from '#features/ledger/person-payments.tsx';
import { findEnrollment } from '#features/places/find-enrollments.ts';
import { findTargets } from '#features/roster/find-targets.ts';
import { PersonDetails } from '#features/roster/person-details.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function PersonPage({
  id,
  enrollment,
}: PageProps<'/cohorts/[id]/roster/[enrollment]'>) {
  return cohortPage(
    id,
    'roster',
    {
      details: findEnrollment(id, enrollment),
      targets: findTargets(id),
      account: findAccount(id, enrollment),
    },
    ({ cohort, details, targets, account }, ctx) =>
      details && (
        <>
          <PersonDetails
            cohort={cohort}
            details={details}
            now={ctx.now()}
            targets={targets}
            payments={account && <PersonPayments account={account} />}
          />
          <LeaveDialog />
        </>
      ),
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
