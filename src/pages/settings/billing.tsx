import { Trans, useLingui } from '@lingui/react/macro';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { serverPaths } from '#paths.ts';
import { Empty } from '#ui/empty.tsx';

/** Says what there will be, and has no controls. */
export default async function BillingPage() {
  const request = await requireCourse();
  const { t } = useLingui();
  return (
    <AppShell request={request} current={serverPaths.billing} title={t`Billing`}>
      <div className="page-head">
        <h1>{t`Billing`}</h1>
      </div>
      <Empty title={t`Coming soon`}>
        <p>
          <Trans>
            Your plan and invoices will appear here. Lectern is free today, and we hold no card or
            bank details.
          </Trans>
        </p>
      </Empty>
    </AppShell>
  );
}
