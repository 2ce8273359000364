import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { CohortBalances } from '#features/ledger/cohort-balances.tsx';
import { CourseTotals } from '#features/ledger/course-totals.tsx';
import { findCohortLedger, findCourseTotals, viewIn } from '#features/ledger/find-balances.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { dayIn } from '#lib/time/words.ts';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';
import { serverPaths } from '#paths.ts';

export default async function PaymentsPage({ query }: PageProps<'/payments'>) {
  const request = await requireCourse({
    ofCourse: findCourseTotals(viewIn(query)),
    ledger: findCohortLedger(viewIn(query)),
  });
  const { t } = useLingui();
  const { course, ctx } = request;
  const { ofCourse, ledger } = request.answers;
  if (ledger === null && viewIn(query).cohortId !== '') {
    return <MissingPage request={request} />;
  }
  return (
    <AppShell request={request} current={serverPaths.payments} title={t`Payments`}>
      {ledger === null ? (
        <CourseTotals course={course} {...ofCourse} />
      ) : (
        <CohortBalances ledger={ledger} today={dayIn(ledger.cohort.timeZone ?? 'UTC', ctx.now())} />
      )}
    </AppShell>
  );
}
