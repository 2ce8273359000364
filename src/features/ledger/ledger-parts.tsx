import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { methodsByHand } from '#db/values.ts';
import { methodWords } from '#email/letters/receipts.ts';
import type { PaymentAccount } from '#features/payment-accounts/schema.ts';
import { priceOf } from '#lib/price.ts';
import { stateWords } from './ledger-words.ts';
import { paymentPaths } from './payment-paths.ts';
import {
  type Balance,
  type BalanceDetails,
  type BalanceState,
  type CohortTotals,
  Totals,
} from './schema.ts';

/** Whose account at Stripe people pay to online, and what leads there. */
export type OnlineHead = { account: PaymentAccount; operator: string; openStripe: ReactNode };

type HeadProps = {
  name: string;
  file: string;
  /** Null where no one pays online. */
  online: OnlineHead | null;
};

/** The head of the pages of accounts: what Lectern does, and does not. */
export function LedgerHead({ name, file, online }: HeadProps) {
  const operator = <bdi>{online?.operator}</bdi>;
  return (
    <div className="page-head page-head-actions">
      <div>
        <h1>
          <Trans>Payments</Trans>
        </h1>
        <p>
          <bdi>{name}</bdi>
        </p>
        <p>
          {online === null ? (
            <Trans>Lectern keeps the account. It doesn’t take payments.</Trans>
          ) : online.account.is_operators ? (
            <Trans>Payments go to {operator}’s Stripe account. Lectern keeps the account.</Trans>
          ) : (
            <Trans>Payments go straight to your Stripe account. Lectern keeps the account.</Trans>
          )}
        </p>
      </div>
      <div className="actions">
        {online?.account.account_hint != null && online.openStripe}
        <a className="button" href={file} download>
          <span className="icon icon-download" />
          <Trans>Download CSV</Trans>
        </a>
      </div>
    </div>
  );
}

/** What accounts in one currency add up to. */
export function TotalsTable({ totals, currency }: { totals: Totals; currency: string }) {
  const { i18n, t } = useLingui();
  const money = (minor: number) => priceOf(minor, currency, i18n.locale);
  const [charged, waived] = [money(totals.charged_minor), money(totals.waived_minor)];
  const overpaid = money(totals.overpaid_minor);
  const rows = [
    {
      label: t`Still owed`,
      amount: totals.owed_minor,
      people: <PeopleCount count={totals.owing} />,
      isOwed: totals.owed_minor > 0,
    },
    {
      label: t`Paid`,
      amount: totals.paid_minor,
      people: <PaidBy full={totals.paid_in_full} part={totals.paid_in_part} />,
    },
    {
      label: t`Refunded`,
      amount: totals.refunded_minor,
      people: <PeopleCount count={totals.refunded} />,
    },
  ];
  return (
    <div className="border-y border-line">
      <dl className="grid gap-4 pt-4 pb-3 @min-[40rem]:grid-cols-3">
        {rows.map(({ label, amount, people, isOwed }) => (
          <div
            key={label}
            className="@min-[40rem]:not-first:border-s @min-[40rem]:not-first:border-line @min-[40rem]:not-first:ps-6"
          >
            <dt className="text-[0.875rem] text-muted">{label}</dt>
            <dd className={`font-serif text-[2rem]/10 font-semibold ${isOwed ? 'text-warn' : ''}`}>
              {money(amount)}
            </dd>
            <dd className="text-[0.875rem] text-muted">{people}</dd>
          </div>
        ))}
      </dl>
      <p className="hint pb-3">
        {[
          t`Charged ${charged}`,
          ...(totals.waived_minor > 0 ? [t`Waived ${waived}`] : []),
          ...(totals.overpaid_minor > 0 ? [t`Overpaid ${overpaid}`] : []),
        ].join(' · ')}
      </p>
    </div>
  );
}

const stateColors: Record<BalanceState, string> = {
  owes: 'full',
  partly_paid: 'full',
  paid: 'running',
  overpaid: 'enrolling',
  waived: 'finished',
  refunded: 'finished',
  free: 'finished',
};

/** What a balance says, in its color. */
export function StateChip({ balance, currency }: { balance: Balance; currency: string | null }) {
  const { i18n } = useLingui();
  return (
    <span
      // Some say more than fits into a line.
      className="chip status whitespace-normal not-data-[status=finished]:py-1"
      data-status={stateColors[balance.state]}
    >
      {stateWords(i18n, balance, currency)}
    </span>
  );
}

/** What is left to decide about someone who has left with money by them; else nothing. */
export function ToSettle({ balance, children }: { balance: Balance; children: ReactNode }) {
  return balance.to_settle ? (
    <div className="notice actions justify-between">
      <p>
        <Trans>
          This person no longer takes part: refund what they paid, waive the rest, or keep the
          account as it is.
        </Trans>
      </p>
      {children}
    </div>
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
export function addTotals(cohorts: CohortTotals[]): Totals {
  // The names are those of the schema.
  const names = Object.keys(Totals.shape) as (keyof Totals)[];
  const sums = names.map((name) => [name, cohorts.reduce((sum, one) => sum + one[name], 0)]);
  return Object.fromEntries(sums) as Totals;
}

/** What the forms of entries have in common. */
export function entryTexts(i18n: I18n, currency: string) {
  // Filled in by the form.
  const [paid, rest] = ['{paid}', '{rest}'];
  return {
    amount: i18n._(msg`Amount (${currency})`),
    day: i18n._(msg`Date`),
    method: i18n._(msg`Payment method`),
    methods: methodsByHand.map((value) => ({ value, label: i18n._(methodWords[value]) })),
    word: i18n._(msg`How it was paid`),
    wordHint: i18n._(msg`Optional, such as the name of a service`),
    donePart: i18n._(msg`${paid} recorded, ${rest} still to pay.`),
    note: i18n._(msg`Note`),
    noteHint: i18n._(msg`Private note. The person can request a copy of it.`),
    submitting: i18n._(msg`Saving…`),
    cancel: i18n._(msg`Cancel`),
  };
}

/** What someone in a cohort owes and has paid; nothing where there is no account. */
export function PersonPayments({
  cohortId,
  balance,
  children,
}: {
  cohortId: string;
  balance: BalanceDetails;
  /** Actions for an account that needs a decision. */
  children: ReactNode;
}) {
  const { t } = useLingui();
  const { id, currency } = balance;
  if (currency === null) {
    return null;
  }
  return (
    <>
      <p className="with-chip">
        <StateChip balance={balance} currency={currency} />
        <a className="link" href={paymentPaths.account(cohortId, id)}>
          {t`See the account`}
        </a>
      </p>
      <ToSettle balance={balance}>{children}</ToSettle>
    </>
  );
}
