import { Trans, useLingui } from '@lingui/react/macro';
import { fullPriceOf, priceOf } from '#lib/price.ts';
import { dayRange } from '#lib/time/words.ts';
import { LinkedText } from '#ui/linked-text.tsx';
import { addUp, type OwnEntry } from './balances.ts';
import { methodWords } from './ledger-words.ts';

type OwnBalanceProps = {
  entries: OwnEntry[];
  /** How to pay, for someone who is enrolled; otherwise null. */
  paymentNote: string | null;
  paymentUrl: string | null;
  instructor: string;
};

/** What someone owes in a cohort, how to pay it, and what their instructor has noted. */
export function OwnBalance({ entries, paymentNote, paymentUrl, instructor }: OwnBalanceProps) {
  const { i18n, t } = useLingui();
  const [first] = entries;
  if (first === undefined) {
    return null;
  }
  const { currency } = first;
  const { balance } = addUp(entries);
  const receipts = entries.filter(
    ({ kind, isUndone }) => !isUndone && (kind === 'payment' || kind === 'refund'),
  );
  const amount = <strong>{priceOf(Math.abs(balance), currency, i18n.locale)}</strong>;
  const name = <bdi>{instructor}</bdi>;
  return (
    <section aria-label={t`Payment`} className="own-account">
      <p>
        {balance > 0 && <Trans>Still to pay: {amount}</Trans>}
        {balance === 0 && <Trans>Nothing more to pay.</Trans>}
        {balance < 0 && <Trans>Paid too much: {amount}</Trans>}
      </p>
      {balance > 0 && paymentNote !== null && (
        <div className="whitespace-pre-line" dir="auto">
          <p className="hint">
            <Trans>How to pay</Trans>
          </p>
          <LinkedText text={paymentNote} />
        </div>
      )}
      {balance > 0 && paymentUrl !== null && (
        <a className="button w-full" href={paymentUrl} rel="noreferrer">
          <Trans>Pay online</Trans>
        </a>
      )}
      {receipts.length > 0 && (
        <ul className="entries">
          {receipts.map((entry) => (
            <li key={entry.id}>
              <span className="text-muted">
                {entry.kind === 'payment' ? <Trans>Paid</Trans> : <Trans>Refunded</Trans>}
              </span>
              <span>
                {[
                  ...(entry.method === null ? [] : [i18n._(methodWords[entry.method])]),
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
      <p className="hint">
        <Trans>You pay {name} directly. Lectern keeps the account. It doesn’t take payments.</Trans>
      </p>
    </section>
  );
}
