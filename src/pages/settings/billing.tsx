import { Trans, useLingui } from '@lingui/react/macro';
import { AppShell } from '#features/shell/app-shell.tsx';
import { ComingPage } from '#features/shell/coming-page.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function BillingPage() {
  const request = await requireCourse();
  const { t } = useLingui();
  return (
    <AppShell request={request} current={paths.billing} title={t`Billing`}>
      <ComingPage icon="icon-payments" title={t`Billing`} comingSoon={t`Coming soon`}>
        <p>
          <Trans>
            Here you will find what you pay for Lectern, with your invoices. Today it charges
            nothing, and it knows no card and no bank account of yours.
          </Trans>
        </p>
      </ComingPage>
    </AppShell>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
