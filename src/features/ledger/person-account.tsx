import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';
import { decimalPoint, fullPriceOf, plainAmount, priceOf } from '#lib/price.ts';
import { dayRange, momentIn } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { Dialog } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Field } from '#ui/form.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import { entryTexts, ToSettle } from './account-parts.tsx';
import {
  entryDetails,
  entryName,
  nameOf,
  signedAmount,
  stateColor,
  stateWords,
} from './account-words.ts';
import { entryDialogId, reverseDialogId } from './dialogs.ts';
import { EntryForm } from './entry-form.tsx';
import type { AccountCohort } from './find-accounts.ts';
import { entryMessages } from './form-messages.ts';
import { paymentPaths } from './payment-paths.ts';
import type { AccountDetails, LedgerEntry } from './schema.ts';

type PersonAccountProps = { cohort: AccountCohort; account: AccountDetails; today: string };

/** Someone's account in a cohort: what they owe, what can be written and what was. */
export function PersonAccount({ cohort, account, today }: PersonAccountProps) {
  const { i18n, t } = useLingui();
  const { entries, currency } = account;
  const name = nameOf(i18n, account);
  const cohortName = <bdi>{cohort.name}</bdi>;
  const erasedDay = account.erased_at?.slice(0, 10) ?? null;
  const erasedOn = erasedDay === null ? '' : dayRange(erasedDay, erasedDay, i18n.locale);
  return (
    <div className="accounts person-account" data-sentry-mask>
      <p>
        <a className="link" href={paymentPaths.cohort(cohort.id)}>
          <Trans>Back to the account of {cohortName}</Trans>
        </a>
      </p>
      <div className="person-head">
        <PersonDisc id={account.person_id} name={account.name ?? ''} />
        <div>
          <h1 dir="auto">{name}</h1>
          <p className="text-muted">
            {erasedDay === null ? (
              <EmailAddress>{account.email ?? ''}</EmailAddress>
            ) : (
              t`Erased on ${erasedOn}. What was paid stays in the account.`
            )}
          </p>
        </div>
        <span className="chip status" data-status={stateColor(account)}>
          {stateWords(i18n, account, currency)}
        </span>
      </div>
      {currency !== null && <Facts account={account} currency={currency} />}
      <ToSettle account={account} />
      {currency !== null && (
        <NewEntries cohort={cohort} account={account} currency={currency} today={today} />
      )}
      <section aria-labelledby="entries">
        <h2 id="entries">
          <Trans>Entries</Trans>
        </h2>
        {entries.length === 0 ? (
          <p className="people-none">
            <Trans>No entries</Trans>
          </p>
        ) : (
          <ul className="entries">
            {entries.toReversed().map((entry) => (
              <Entry key={entry.id} entry={entry} zone={cohort.timeZone ?? 'UTC'} />
            ))}
          </ul>
        )}
        <p className="hint">
          <Trans>Entries never change. A mistake is reversed by another entry.</Trans>
        </p>
      </section>
      {account.status !== null && (
        <p>
          <a className="link" href={paths.participant(cohort.id, account.id)}>
            {t`See ${name} in the cohort`}
          </a>
        </p>
      )}
    </div>
  );
}

function Facts({ account, currency }: { account: AccountDetails; currency: string }) {
  const { i18n, t } = useLingui();
  const facts = [
    { label: t`Charged`, value: account.charged_minor },
    { label: t`Waived`, value: account.waived_minor },
    { label: t`Paid`, value: account.paid_minor },
    { label: t`Refunded`, value: account.refunded_minor },
    { label: t`Balance`, value: account.balance_minor },
  ];
  return (
    <dl className="facts account-facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="account-amount">{fullPriceOf(value, currency, i18n.locale)}</dd>
        </div>
      ))}
    </dl>
  );
}

type NewEntriesProps = PersonAccountProps & { currency: string };

/** What can be written to an account as it is, each in a dialog. */
function NewEntries({ cohort, account, currency, today }: NewEntriesProps) {
  const { i18n, t } = useLingui();
  const { balance_minor: balance, paid_minor: paid, refunded_minor: refunded } = account;
  const isIn = account.status === 'enrolled';
  const hasCharge = account.entries.some(
    (entry) =>
      entry.kind === 'charge' && entry.reverses_id === null && entry.reversed_by_id === null,
  );
  const amountOf = (minor: number) =>
    plainAmount(Math.max(0, minor), currency, decimalPoint(i18n.locale));
  const owed = <strong>{priceOf(balance, currency, i18n.locale)}</strong>;
  const form = {
    cohortId: cohort.id,
    enrollmentIds: [account.id],
    currency,
    today,
    messages: entryMessages(i18n),
  };
  const texts = entryTexts(i18n, currency);
  return (
    <div className="actions noscript:hidden">
      <EntryDialog kind="payment" label={t`Mark as paid`} isPrimary={balance > 0}>
        <EntryForm
          key={account.entries.length}
          {...form}
          dialogId={entryDialogId('payment')}
          kind="payment"
          amount={balance > 0 ? amountOf(balance) : ''}
          texts={{ ...texts, submit: t`Mark as paid`, done: t`Marked as paid.` }}
        />
      </EntryDialog>
      {balance > 0 && (
        <EntryDialog kind="waiver" label={t`Waive`}>
          <EntryForm
            key={account.entries.length}
            {...form}
            dialogId={entryDialogId('waiver')}
            kind="waiver"
            amount={amountOf(balance)}
            texts={{ ...texts, submit: t`Waive`, done: t`Waived.` }}
          >
            <p>
              <Trans>
                {owed} is still owed. What you waive is no longer owed, and the charge stays in the
                account.
              </Trans>
            </p>
          </EntryForm>
        </EntryDialog>
      )}
      {paid > refunded && (
        <EntryDialog kind="refund" label={t`Refund`}>
          <EntryForm
            key={account.entries.length}
            {...form}
            dialogId={entryDialogId('refund')}
            kind="refund"
            amount={amountOf(balance < 0 ? -balance : paid - refunded)}
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
                Pay the money back first: Lectern only records it. Unless you waive the rest, they
                owe it again.
              </Trans>
            </p>
          </EntryForm>
        </EntryDialog>
      )}
      {!hasCharge && isIn && (
        <EntryDialog kind="charge" label={t`Charge`}>
          <EntryForm
            key={account.entries.length}
            {...form}
            dialogId={entryDialogId('charge')}
            kind="charge"
            amount={amountOf(cohort.priceMinor ?? 0)}
            texts={{ ...texts, submit: t`Charge`, done: t`Charged.` }}
          />
        </EntryDialog>
      )}
    </div>
  );
}

type EntryDialogProps = {
  kind: LedgerEntry['kind'];
  label: string;
  isPrimary?: boolean;
  children: ReactNode;
};

function EntryDialog({ kind, label, isPrimary = false, children }: EntryDialogProps) {
  const id = entryDialogId(kind);
  return (
    <>
      <button
        type="button"
        className={isPrimary ? 'button button-primary' : 'button'}
        command="show-modal"
        commandfor={id}
      >
        {label}
      </button>
      <Dialog id={id} title={label}>
        {children}
      </Dialog>
    </>
  );
}

/** An entry, and the button that takes it back. */
function Entry({ entry, zone }: { entry: LedgerEntry; zone: string }) {
  const { i18n } = useLingui();
  const details = entryDetails(i18n, entry);
  const isReversed = entry.reversed_by_id !== null;
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
      {!isReversed && entry.reverses_id === null && <Reverse entry={entry} />}
    </li>
  );
}

function Reverse({ entry }: { entry: LedgerEntry }) {
  const { i18n, t } = useLingui();
  const id = reverseDialogId(entry.id);
  const amount = fullPriceOf(Math.abs(entry.amount_minor), entry.currency, i18n.locale);
  const what = entryName(i18n, entry);
  return (
    <>
      <button
        type="button"
        className="button button-small noscript:hidden"
        command="show-modal"
        commandfor={id}
      >
        <Trans>Reverse</Trans>
        <span className="sr-only">{` ${what} ${amount}`}</span>
      </button>
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
            hint={t`Optional, for yourself. The person may ask to read it.`}
            autoComplete="off"
            dir="auto"
          />
        </DialogForm>
      </Dialog>
    </>
  );
}
