import { useLingui } from '@lingui/react/macro';
import { SettingsSection } from '#ui/settings-section.tsx';
import { ToSettle } from './ledger-parts.tsx';
import { stateColor, stateWords } from './ledger-words.ts';
import { paymentPaths } from './payment-paths.ts';
import type { BalanceDetails } from './schema.ts';

type PersonPaymentsProps = { cohortId: string; balance: BalanceDetails };

/** What someone in a cohort owes and has paid; nothing where there is no account. */
export function PersonPayments({ cohortId, balance }: PersonPaymentsProps) {
  const { i18n, t } = useLingui();
  const { id, currency } = balance;
  if (currency === null) {
    return null;
  }
  return (
    <SettingsSection
      id="person-payments"
      title={t`Payments`}
      description={
        <span className="chip status" data-status={stateColor(balance)}>
          {stateWords(i18n, balance, currency)}
        </span>
      }
    >
      <ToSettle balance={balance} />
      <div className="actions">
        <a className="button" href={paymentPaths.account(cohortId, id)}>
          {t`See the account`}
        </a>
      </div>
    </SettingsSection>
  );
}
