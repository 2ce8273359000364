import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findLastCurrency } from '#features/cohorts/own-currency.ts';
import { CohortSettings } from '#features/planning/cohort-settings.tsx';
import { RunSettings } from '#features/self-paced/run-settings.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function CohortSettingsPage({ id }: PageProps<'/cohorts/[id]/settings'>) {
  return cohortPage(id, 'settings', { currency: findLastCurrency }, ({ cohort, currency }) => (
    <>
      {cohort.kind === 'open' ? (
        <RunSettings run={cohort} lastCurrency={currency} />
      ) : (
        <CohortSettings cohort={cohort} lastCurrency={currency} />
      )}
      <LeaveDialog />
    </>
  ));
}
