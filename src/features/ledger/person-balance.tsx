import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { decimalPoint, fullPriceOf, plainAmount, priceOf } from '#lib/price.ts';
import { momentIn } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Field } from '#ui/form.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import { EntryForm } from './entry-form.tsx';
import type { LedgerCohort } from './find-balances.ts';
import { entryTexts, StateChip, ToSettle } from './ledger-parts.tsx';
import {
  dayOfErasure,
  entryDetails,
  entryMessages,
  entryName,
  nameOf,
  signedAmount,
} from './ledger-words.ts';
import { paymentPaths } from './payment-paths.ts';
import type { BalanceDetails, LedgerEntry } from './schema.ts';

type PersonBalanceProps = {
  cohort: LedgerCohort;
  balance: BalanceDetails;
  /** What their place cost when they enrolled; null without a price. */
  priceThen: number | null;
  today: string;
  /** What can still be sent back of what was paid online. */
  refundableOnline: number;
  /** The menu of an entry that was paid online, with what is given to it; null for others. */
  onlineMenuOf: (entry: LedgerEntry, children: ReactNode) => ReactNode;
  /** What is on its way back. */
  children: ReactNode;
};

/** Someone's account in a cohort: what they owe, what can be written and what was. */
export function PersonBalance(props: PersonBalanceProps) {
  const { cohort, balance } = props;
  const { i18n, t } = useLingui();
  const { entries, currency } = balance;
  const name = nameOf(i18n, balance);
  const cohortName = <bdi>{cohort.name}</bdi>;
  const erasedOn = dayOfErasure(i18n, balance);
  return (
    <div className="accounts" data-sentry-mask>
      <p>
        <a className="link" href={paymentPaths.cohort(cohort.id)}>
          <Trans>{cohortName} payments</Trans>
        </a>
      </p>
      <div className="person-head -mt-3 mb-0">
        <PersonDisc id={balance.person_id} name={balance.name ?? ''} />
        <div>
          <h1 dir="auto">{name}</h1>
          <p className="text-muted">
            {balance.erased_at === null ? (
              <EmailAddress>{balance.email ?? ''}</EmailAddress>
            ) : (
              t`Erased on ${erasedOn}. What was paid stays in the account.`
            )}
          </p>
        </div>
        <StateChip balance={balance} currency={currency} />
      </div>
      {currency !== null && <Facts balance={balance} currency={currency} />}
      {props.children}
      <ToSettle balance={balance}>
        <a className="button" href={paths.participant(cohort.id, balance.id)}>
          <Trans>Left: refund, waive or keep?</Trans>
        </a>
      </ToSettle>
      {currency !== null && balance.refunding_minor === 0 && (
        <NewEntries {...props} currency={currency} />
      )}
      <section aria-labelledby="entries">
        <h2 id="entries">
          <Trans>Entries</Trans>
        </h2>
        {entries.length === 0 ? (
          <p className="py-6 text-muted">
            <Trans>No entries</Trans>
          </p>
        ) : (
          <ul className="entries">
            {entries.toReversed().map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                zone={cohort.timeZone ?? 'UTC'}
                onlineMenuOf={props.onlineMenuOf}
                canEmail={balance.status !== null && cohort.deletedAt === null}
              />
            ))}
          </ul>
        )}
        <p className="hint">
          <Trans>Entries can’t be edited. To fix a mistake, reverse it.</Trans>
        </p>
      </section>
      {balance.status !== null && (
        <p>
          <a className="link" href={paths.participant(cohort.id, balance.id)}>
            {t`Open ${name}’s profile`}
          </a>
        </p>
      )}
    </div>
  );
}

function Facts({ balance, currency }: { balance: BalanceDetails; currency: string }) {
  const { i18n, t } = useLingui();
  const facts = [
    { label: t`Charged`, value: balance.charged_minor },
    { label: t`Waived`, value: balance.waived_minor },
    { label: t`Paid`, value: balance.paid_minor },
    { label: t`Refunded`, value: balance.refunded_minor },
    { label: t`Balance`, value: balance.balance_minor },
  ];
  return (
    <dl className="facts max-w-96">
      {facts
        .filter(({ value }, index) => value !== 0 || index === facts.length - 1)
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="account-amount">{fullPriceOf(value, currency, i18n.locale)}</dd>
          </div>
        ))}
    </dl>
  );
}

function NewEntries({
  cohort,
  balance,
  priceThen,
  currency,
  today,
  refundableOnline,
}: PersonBalanceProps & { currency: string }) {
  const { i18n, t } = useLingui();
  const { balance_minor: due, paid_minor: paid, refunded_minor: refunded } = balance;
  // What was paid online, Stripe sends back.
  const byHand = paid - refunded - refundableOnline;
  const isIn = balance.status === 'enrolled';
  const charge = balance.entries.find(
    (entry) =>
      entry.kind === 'charge' && entry.reverses_id === null && entry.reversed_by_id === null,
  );
  const amountOf = (minor: number) =>
    plainAmount(Math.max(0, minor), currency, decimalPoint(i18n.locale));
  const owed = <strong>{priceOf(due, currency, i18n.locale)}</strong>;
  const form = {
    cohortId: cohort.id,
    enrollmentIds: [balance.id],
    count: balance.entries.length,
    currency,
    today,
    messages: entryMessages(i18n),
  };
  const texts = entryTexts(i18n, currency);
  return (
    <div className="actions noscript:hidden">
      <EntryDialog
        {...form}
        kind="payment"
        label={t`Mark as paid`}
        isPrimary={due > 0 && !balance.to_settle}
        amount={due > 0 ? amountOf(due) : ''}
        due={due > 0 ? due : undefined}
        texts={{ ...texts, submit: t`Mark as paid`, done: t`Marked as paid.` }}
      />
      {due > 0 && (
        <EntryDialog
          {...form}
          kind="waiver"
          label={t`Waive`}
          amount={amountOf(due)}
          texts={{ ...texts, submit: t`Waive`, done: t`Waived.` }}
        >
          <p>
            <Trans>
              {owed} is still owed. What you waive is no longer owed, and the charge stays in the
              account.
            </Trans>
          </p>
        </EntryDialog>
      )}
      {byHand > 0 && (
        <EntryDialog
          {...form}
          kind="refund"
          label={t`Refund`}
          amount={amountOf(due < 0 ? Math.min(-due, byHand) : byHand)}
          waivesRest={!isIn}
          texts={{
            ...texts,
            waiveRest: t`They owe nothing more: waive the rest too`,
            submit: t`Record the refund`,
            done: t`Refund recorded.`,
          }}
        >
          <p>
            <Trans>
              Pay the money back first: Lectern only records it. Unless you waive the rest, they owe
              it again.
            </Trans>
          </p>
        </EntryDialog>
      )}
      {charge === undefined && isIn && (
        <EntryDialog
          {...form}
          kind="charge"
          label={t({ message: 'Charge', context: 'verb' })}
          amount={amountOf(priceThen ?? 0)}
          texts={{ ...texts, submit: t({ message: 'Charge', context: 'verb' }), done: t`Charged.` }}
        />
      )}
    </div>
  );
}

type EntryDialogProps = Omit<ComponentProps<typeof EntryForm>, 'dialogId'> & {
  label: string;
  isPrimary?: boolean;
  /** How many entries there are: another one gets a new form. */
  count: number;
};

function EntryDialog({ label, isPrimary = false, count, ...form }: EntryDialogProps) {
  const id = `new-${form.kind}`;
  return (
    <>
      <OpenButton dialogId={id} className={isPrimary ? 'button button-primary' : 'button'}>
        {label}
      </OpenButton>
      <Dialog id={id} title={label}>
        <EntryForm key={count} {...form} dialogId={id} />
      </Dialog>
    </>
  );
}

type EntryProps = {
  entry: LedgerEntry;
  zone: string;
  /** Whether emails go out to them. */
  canEmail: boolean;
} & Pick<PersonBalanceProps, 'onlineMenuOf'>;

function Entry({ entry, zone, canEmail, onlineMenuOf }: EntryProps) {
  const { i18n, t } = useLingui();
  const details = entryDetails(i18n, entry);
  const isReversed = entry.reversed_by_id !== null;
  const isOnline = entry.method === 'online';
  const receipt = entry.kind === 'payment' &&
    !isReversed &&
    entry.reverses_id === null &&
    canEmail && (
      <ChangeButton
        path={paymentPaths.receipt(entry.id)}
        pendingLabel={t`Sending…`}
        done={t`Receipt sent.`}
        className={isOnline ? 'menu-item' : 'button button-small noscript:hidden'}
      >
        {isOnline && <span className="icon icon-mail" />}
        <Trans>Email a receipt</Trans>
      </ChangeButton>
    );
  return (
    <li data-reversed={isReversed || undefined}>
      <span className="text-muted">{entryName(i18n, entry)}</span>
      <span dir="auto">
        <time dateTime={entry.created_at}>
          {momentIn(zone, new Date(entry.created_at), i18n.locale)}
        </time>
        {details !== '' && <span className="text-muted">{` · ${details}`}</span>}
      </span>
      <span className="account-amount">{signedAmount(i18n, entry)}</span>
      {isReversed && (
        <span className="chip">
          <Trans>Reversed</Trans>
        </span>
      )}
      <span className="flex flex-wrap justify-end gap-2 empty:hidden">
        {isOnline ? onlineMenuOf(entry, receipt) : receipt}
        {!isOnline && !isReversed && entry.reverses_id === null && <Reverse entry={entry} />}
      </span>
    </li>
  );
}

function Reverse({ entry }: { entry: LedgerEntry }) {
  const { i18n, t } = useLingui();
  const id = `reverse-${entry.id}`;
  const amount = fullPriceOf(Math.abs(entry.amount_minor), entry.currency, i18n.locale);
  const what = entryName(i18n, entry);
  return (
    <>
      <OpenButton dialogId={id} className="button button-small noscript:hidden">
        <Trans>Reverse</Trans>
        <span className="sr-only">{` ${what} ${amount}`}</span>
      </OpenButton>
      <Dialog id={id} title={t`Reverse this entry?`}>
        <DialogForm
          path={paymentPaths.reverse(entry.id)}
          dialogId={id}
          messages={entryMessages(i18n)}
          refusals={['entry_is_reversal']}
          isDangerous
          texts={{
            submit: t`Reverse`,
            submitting: t`Reversing…`,
            cancel: t`Keep the entry`,
          }}
          done={t`Entry reversed.`}
        >
          <p>
            {what} · {amount}
          </p>
          <p>
            <Trans>
              Another entry reverses this one. Both stay in the account. This can’t be undone.
            </Trans>
          </p>
          {entry.kind === 'charge' && (
            <p className="hint">
              <Trans>
                For a free place, waive the amount instead: without a charge, this person can be
                charged again with everyone else.
              </Trans>
            </p>
          )}
          <Field
            id={`${id}-note`}
            name="note"
            label={t`Why`}
            hint={t`Private note. The person can request a copy of it.`}
            autoComplete="off"
            dir="auto"
          />
        </DialogForm>
      </Dialog>
    </>
  );
}
