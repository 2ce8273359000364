import { Trans, useLingui } from '@lingui/react/macro';
import { ComingPage } from '#features/shell/coming-page.tsx';
import { requireCourse } from '#page-request.ts';
import { serverPaths } from '#paths.ts';

export default async function BillingPage() {
  const request = await requireCourse();
  const { t } = useLingui();
  return (
    <ComingPage request={request} current={serverPaths.billing} title={t`Billing`}>
      <p>
        <Trans>
          Your plan and invoices will appear here. Lectern is free today, and we hold no card or
          bank details.
        </Trans>
      </p>
    </ComingPage>
  );
}
