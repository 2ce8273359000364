import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { CohortAccount } from '#features/ledger/cohort-account.tsx';
import { CourseAccounts } from '#features/ledger/course-accounts.tsx';
import { findAccounts, shownBy } from '#features/ledger/find-accounts.ts';
import { findCourseAccounts } from '#features/ledger/find-course-accounts.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { dayIn } from '#lib/time/words.ts';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';
import { serverPaths } from '#paths.ts';

export default async function PaymentsPage({ query }: PageProps<'/payments'>) {
  const request = await requireCourse({
    ofCourse: findCourseAccounts(shownBy(query)),
    accounts: findAccounts(shownBy(query)),
  });
  const { t } = useLingui();
  const { course, ctx } = request;
  const { ofCourse, accounts } = request.answers;
  if (accounts === null && shownBy(query).cohortId !== '') {
    return <MissingPage request={request} />;
  }
  return (
    <AppShell request={request} current={serverPaths.payments} title={t`Payments`}>
      {accounts === null ? (
        <CourseAccounts course={course} {...ofCourse} />
      ) : (
        <CohortAccount
          found={accounts}
          today={dayIn(accounts.cohort.timeZone ?? 'UTC', ctx.now())}
        />
      )}
    </AppShell>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
