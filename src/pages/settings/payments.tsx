import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findGettingPaid } from '#features/payment-accounts/find-getting-paid.ts';
import { GettingPaidCard } from '#features/payment-accounts/getting-paid.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

/** The viewer's account at Stripe, where this Lectern takes payments online. */
export default async function GettingPaidPage({ query }: PageProps<'/settings/payments'>) {
  const request = await requireCourse({ gettingPaid: findGettingPaid });
  const { t } = useLingui();
  const { ctx, operatorName, answers } = request;
  if (ctx.config.stripe === null) {
    return <MissingPage request={request} />;
  }
  return (
    <AppShell
      request={request}
      current={paths.settings}
      title={t`Getting paid`}
      trail={[{ to: paths.settings, label: t`Settings` }]}
    >
      <div className="page-head">
        <h1>{t`Getting paid`}</h1>
      </div>
      <GettingPaidCard
        {...answers.gettingPaid}
        ctx={ctx}
        email={ctx.viewer.email}
        operator={operatorName}
        isBack={new URLSearchParams(query).get('from') === 'stripe'}
      />
    </AppShell>
  );
}
