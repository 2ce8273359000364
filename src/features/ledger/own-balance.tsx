import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { fullPriceOf, priceOf } from '#lib/price.ts';
import { dayRange } from '#lib/time/words.ts';
import { LinkedText } from '#ui/linked-text.tsx';
import type { OwnEntry, Sums } from './balances.ts';
import { methodName } from './ledger-words.ts';

type OwnBalanceProps = {
  entries: OwnEntry[];
  sums: Sums | null;
  /** Whether what is open is owed: not by who has left, unless their instructor says so. */
  isOwed: boolean;
  /** Whether their instructor has yet to decide. */
  isUndecided: boolean;
  /** How to pay online what is owed; null where people pay their instructor as these agree. */
  online: ReactNode;
  paymentNote: string | null;
  paymentUrl: string | null;
  instructor: string;
};

/** What someone owes in a cohort, how to pay it, and what their instructor has noted. */
export function OwnBalance(props: OwnBalanceProps) {
  const { entries, sums, isOwed, isUndecided, online, instructor } = props;
  const isOwn = online === null;
  const [paymentNote, paymentUrl] = isOwn ? [props.paymentNote, props.paymentUrl] : [null, null];
  const { i18n, t } = useLingui();
  const [first] = entries;
  if (first === undefined) {
    return null;
  }
  const { currency } = first;
  const balance = sums?.balance ?? 0;
  const receipts = entries.filter(
    ({ kind, isUndone }) => !isUndone && (kind === 'payment' || kind === 'refund'),
  );
  if (!isOwed && receipts.length === 0) {
    return null;
  }
  const owed = priceOf(Math.abs(balance), currency, i18n.locale);
  const amount = <strong>{owed}</strong>;
  const isOpen = balance > 0 && !isOwed;
  const name = <bdi>{instructor}</bdi>;
  return (
    <section
      aria-label={t`Payment`}
      className="mt-4 grid gap-3 border-t border-line pt-4 [&+.facts]:mt-4"
    >
      <p>
        {balance > 0 && isOwed && <Trans>Still to pay: {amount}</Trans>}
        {isOpen &&
          isUndecided &&
          t`You haven’t paid ${owed} yet. ${instructor} decides whether you still owe it.`}
        {(balance === 0 || (isOpen && !isUndecided)) && <Trans>Nothing more to pay.</Trans>}
        {balance < 0 && <Trans>Paid too much: {amount}</Trans>}
      </p>
      {balance > 0 && isOwed && paymentNote !== null && (
        <div className="whitespace-pre-line" dir="auto">
          <p className="hint">
            <Trans>How to pay</Trans>
          </p>
          <LinkedText text={paymentNote} />
        </div>
      )}
      {balance > 0 && isOwed && paymentUrl !== null && (
        <a className="button w-full" href={paymentUrl} rel="noreferrer">
          <Trans>Pay online</Trans>
        </a>
      )}
      {balance > 0 && isOwed && online}
      {receipts.length > 0 && (
        <ul className="entries">
          {receipts.map((entry) => (
            <li key={entry.id}>
              <span className="text-muted">
                {entry.kind === 'payment' ? <Trans>Paid</Trans> : <Trans>Refunded</Trans>}
              </span>
              <span>
                {[
                  ...(entry.method === null ? [] : [methodName(i18n, entry.method, entry.word)]),
                  ...(entry.day === null ? [] : [dayRange(entry.day, entry.day, i18n.locale)]),
                ].join(' · ')}
              </span>
              <span className="account-amount">
                {fullPriceOf(Math.abs(entry.amount), currency, i18n.locale)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isOwn && (
        <p className="hint">
          <Trans>
            You pay {name} directly. Lectern keeps the account. It doesn’t take payments.
          </Trans>
        </p>
      )}
    </section>
  );
}
