import { Trans, useLingui } from '@lingui/react/macro';
import { ComingPage } from '#features/shell/coming-page.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function BillingPage() {
  const request = await requireCourse();
  const { t } = useLingui();
  return (
    <ComingPage request={request} current={paths.billing} title={t`Billing`} icon="icon-payments">
      <p>
        <Trans>
          Here you will find what you pay for Lectern, with your invoices. Today it charges nothing,
          and it knows no card and no bank account of yours.
        </Trans>
      </p>
    </ComingPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
