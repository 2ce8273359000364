import { useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findOnlinePayments } from '#features/checkouts/list-checkouts.ts';
import { OnlineEntryMenu, ReturnNotes } from '#features/checkouts/online-entry.tsx';
import { findBalance } from '#features/ledger/find-balances.ts';
import { nameOf } from '#features/ledger/ledger-words.ts';
import { paymentPaths } from '#features/ledger/payment-paths.ts';
import { PersonBalance } from '#features/ledger/person-balance.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { dayIn } from '#lib/time/words.ts';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';
import { serverPaths } from '#paths.ts';

export default async function PersonBalancePage({
  id,
  enrollment,
}: PageProps<'/payments/[id]/[enrollment]'>) {
  const request = await requireCourse({
    ledger: findBalance(id, enrollment),
    payments: findOnlinePayments(enrollment),
  });
  const { t } = useLingui();
  const { ledger, payments } = request.answers;
  if (ledger === null) {
    return <MissingPage request={request} />;
  }
  const { cohort, balance, priceThen } = ledger;
  return (
    <AppShell
      request={request}
      current={serverPaths.payments}
      // Not their name: what is said outside the page itself is in recordings.
      title={t`Account of a participant`}
      trail={[
        { to: serverPaths.payments, label: t`Payments` },
        { to: paymentPaths.cohort(cohort.id), label: cohort.name },
      ]}
      person={nameOf(request.i18n, balance)}
    >
      <PersonBalance
        cohort={cohort}
        balance={balance}
        priceThen={priceThen}
        today={dayIn(cohort.timeZone ?? 'UTC', request.ctx.now())}
        refundableOnline={ledger.online.refundable}
        onlineMenuOf={(entry, children) => {
          const payment = payments.find(({ entryId }) => entryId === entry.id);
          return (
            payment && (
              <OnlineEntryMenu payment={payment} ctx={request.ctx}>
                {children}
              </OnlineEntryMenu>
            )
          );
        }}
      >
        <ReturnNotes payments={payments} zone={cohort.timeZone ?? 'UTC'} />
      </PersonBalance>
    </AppShell>
  );
}
