import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { paymentMethods } from '#db/values.ts';
import { priceOf } from '#lib/price.ts';
import type { EntryTexts } from './entry-form.tsx';
import { isToSettle, methodWords } from './ledger-words.ts';
import type { Balance, CohortTotals } from './schema.ts';

type HeadProps = { title: ReactNode; file: string; children?: ReactNode };

/** The head of the pages of accounts: what Lectern does, and does not. */
export function LedgerHead({ title, file, children }: HeadProps) {
  return (
    <div className="page-head page-head-actions">
      <div>
        <h1>{title}</h1>
        {children}
        <p>
          <Trans>Lectern keeps the account. It doesn’t take payments.</Trans>
        </p>
      </div>
      <div className="actions">
        <a className="button" href={file} download>
          <span className="icon icon-download" />
          <Trans>Download CSV</Trans>
        </a>
      </div>
    </div>
  );
}

type Sums = Omit<CohortTotals, 'cohort_id' | 'cohort_name' | 'currency'>;

/** What accounts in one currency add up to. */
export function Totals({ totals, currency }: { totals: Sums; currency: string }) {
  const { i18n, t } = useLingui();
  const money = (minor: number) => priceOf(minor, currency, i18n.locale);
  const [charged, waived, overpaid] = [
    totals.charged_minor,
    totals.waived_minor,
    totals.overpaid_minor,
  ].map(money);
  return (
    <div className="totals">
      <dl>
        <div data-owed={totals.owed_minor > 0}>
          <dt>
            <Trans>Still owed</Trans>
          </dt>
          <dd>{money(totals.owed_minor)}</dd>
          <dd>
            <PeopleCount count={totals.owing} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Paid</Trans>
          </dt>
          <dd>{money(totals.paid_minor)}</dd>
          <dd>
            <PaidBy full={totals.paid_in_full} part={totals.paid_in_part} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Refunded</Trans>
          </dt>
          <dd>{money(totals.refunded_minor)}</dd>
          <dd>
            <PeopleCount count={totals.refunded} />
          </dd>
        </div>
      </dl>
      <p className="hint">
        {t`Charged ${charged}`}
        {totals.waived_minor > 0 && (
          <>
            {' · '}
            {t`Waived ${waived}`}
          </>
        )}
        {totals.overpaid_minor > 0 && (
          <>
            {' · '}
            {t`Overpaid ${overpaid}`}
          </>
        )}
      </p>
    </div>
  );
}

/** What is left to decide about someone who has left with money by them; else nothing. */
export function ToSettle({ balance }: { balance: Balance }) {
  return isToSettle(balance) ? (
    <p className="notice">
      <Trans>This person no longer takes part: refund what they paid, or waive the rest.</Trans>
    </p>
  ) : null;
}

/** How many people it is. */
export function PeopleCount({ count }: { count: number }) {
  return count === 0 ? (
    <Trans>No one</Trans>
  ) : (
    <Plural value={count} one="# person" other="# people" />
  );
}

function PaidBy({ full, part }: { full: number; part: number }) {
  const { t } = useLingui();
  if (full + part === 0) {
    return <Trans>No one</Trans>;
  }
  return part === 0 ? t`${full} in full` : t`${full} in full, ${part} in part`;
}

/** Adds up cohorts that have the same currency. */
export function addTotals(cohorts: CohortTotals[]): Sums {
  const sumOf = (name: keyof Sums) => cohorts.reduce((sum, one) => sum + one[name], 0);
  return {
    charged_minor: sumOf('charged_minor'),
    waived_minor: sumOf('waived_minor'),
    paid_minor: sumOf('paid_minor'),
    refunded_minor: sumOf('refunded_minor'),
    owed_minor: sumOf('owed_minor'),
    overpaid_minor: sumOf('overpaid_minor'),
    accounts: sumOf('accounts'),
    owing: sumOf('owing'),
    paid_in_full: sumOf('paid_in_full'),
    paid_in_part: sumOf('paid_in_part'),
    refunded: sumOf('refunded'),
  };
}

/** What the forms of entries have in common. */
export function entryTexts(i18n: I18n, currency: string): Omit<EntryTexts, 'submit' | 'done'> {
  return {
    amount: i18n._(msg`Amount (${currency})`),
    day: i18n._(msg`Date`),
    method: i18n._(msg`Payment method`),
    methods: paymentMethods.map((value) => ({ value, label: i18n._(methodWords[value]) })),
    note: i18n._(msg`Note`),
    noteHint: i18n._(msg`Optional, for yourself. The person may ask to read it.`),
    submitting: i18n._(msg`Saving…`),
    cancel: i18n._(msg`Cancel`),
  };
}
