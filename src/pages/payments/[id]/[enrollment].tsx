import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findAccount } from '#features/ledger/find-accounts.ts';
import { PersonAccount } from '#features/ledger/person-account.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { dayIn } from '#lib/time/words.ts';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';
import { serverPaths } from '#paths.ts';

export default async function AccountPage({
  id,
  enrollment,
}: PageProps<'/payments/[id]/[enrollment]'>) {
  const request = await requireCourse({ account: findAccount(id, enrollment) });
  const { t } = useLingui();
  const { account } = request.answers;
  if (account === null) {
    return <MissingPage request={request} />;
  }
  const { cohort, details } = account;
  return (
    <AppShell
      request={request}
      current={serverPaths.payments}
      // Not their name: what is said outside the page itself is in recordings.
      title={t`Account of a participant`}
      // Its account is the link above the name, also on phones.
      trail={[{ to: serverPaths.payments, label: t`Payments` }]}
    >
      <PersonAccount
        cohort={cohort}
        account={details}
        today={dayIn(cohort.timeZone ?? 'UTC', request.ctx.now())}
      />
    </AppShell>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
