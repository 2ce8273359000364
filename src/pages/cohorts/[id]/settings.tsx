import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findLastCurrency } from '#features/cohorts/own-currency.ts';
import { findPaymentAccount } from '#features/payment-accounts/find-account.ts';
import { CohortSettings } from '#features/planning/cohort-settings.tsx';
import { RunSettings } from '#features/self-paced/run-settings.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function CohortSettingsPage({ id }: PageProps<'/cohorts/[id]/settings'>) {
  return cohortPage(
    id,
    'settings',
    { currency: findLastCurrency, account: findPaymentAccount },
    ({ cohort, currency, account }) => (
      <>
        {cohort.kind === 'open' ? (
          <RunSettings run={cohort} lastCurrency={currency} account={account} />
        ) : (
          <CohortSettings cohort={cohort} lastCurrency={currency} account={account} />
        )}
        <LeaveDialog />
      </>
    ),
  );
}
