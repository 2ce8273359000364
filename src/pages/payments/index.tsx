import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findProblems } from '#features/checkouts/list-checkouts.ts';
import { ProblemCard } from '#features/checkouts/problem-card.tsx';
import { CohortBalances } from '#features/ledger/cohort-balances.tsx';
import { CourseTotals } from '#features/ledger/course-totals.tsx';
import { findCohortLedger, findCourseTotals, viewIn } from '#features/ledger/find-balances.ts';
import { AccountNote } from '#features/payment-accounts/account-note.tsx';
import { findOnlineCourse } from '#features/payment-accounts/find-getting-paid.ts';
import { OpenStripe } from '#features/payment-accounts/getting-paid.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { dayIn } from '#lib/time/words.ts';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';
import { serverPaths } from '#paths.ts';

export default async function PaymentsPage({ query }: PageProps<'/payments'>) {
  const request = await requireCourse({
    ofCourse: findCourseTotals(viewIn(query)),
    ledger: findCohortLedger(viewIn(query)),
    online: findOnlineCourse,
    problems: findProblems,
  });
  const { t } = useLingui();
  const { course, ctx } = request;
  const { ofCourse, ledger, online: account, problems } = request.answers;
  if (ledger === null && viewIn(query).cohortId !== '') {
    return <MissingPage request={request} />;
  }
  const online = account && {
    account,
    operator: request.operatorName,
    openStripe: <OpenStripe ctx={ctx} />,
  };
  const toLookAt = (
    <>
      {account && <AccountNote account={account} />}
      <ProblemCard problems={problems} ctx={ctx} />
    </>
  );
  return (
    <AppShell request={request} current={serverPaths.payments} title={t`Payments`}>
      {ledger === null ? (
        <CourseTotals course={course} {...ofCourse} online={online}>
          {toLookAt}
        </CourseTotals>
      ) : (
        <CohortBalances
          ledger={ledger}
          today={dayIn(ledger.cohort.timeZone ?? 'UTC', ctx.now())}
          online={online}
        >
          {toLookAt}
        </CohortBalances>
      )}
    </AppShell>
  );
}
