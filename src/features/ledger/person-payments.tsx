import { useLingui } from '@lingui/react/macro';
import { SettingsSection } from '#ui/settings-section.tsx';
import { ToSettle } from './account-parts.tsx';
import { stateColor, stateWords } from './account-words.ts';
import { paymentPaths } from './payment-paths.ts';
import type { AccountDetails } from './schema.ts';

type PersonPaymentsProps = { account: { cohort: { id: string }; details: AccountDetails } };

/** What someone in a cohort owes and has paid; nothing where there is no account. */
export function PersonPayments({ account: { cohort, details: account } }: PersonPaymentsProps) {
  const { i18n, t } = useLingui();
  const { id, currency } = account;
  if (currency === null) {
    return null;
  }
  return (
    <SettingsSection
      id="person-payments"
      title={t`Payments`}
      description={
        <span className="chip status" data-status={stateColor(account)}>
          {stateWords(i18n, account, currency)}
        </span>
      }
    >
      <ToSettle account={account} />
      <div className="actions">
        <a className="button" href={paymentPaths.account(cohort.id, id)}>
          {t`See the account`}
        </a>
      </div>
    </SettingsSection>
  );
}
