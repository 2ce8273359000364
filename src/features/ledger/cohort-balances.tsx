import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { endedStatuses } from '#db/values.ts';
import { decimalPoint, fullPriceOf, plainAmount, priceOf } from '#lib/price.ts';
import { dayIn, dayOfYear } from '#lib/time/words.ts';
import { serverPaths } from '#paths.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { OpenButton } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Empty } from '#ui/empty.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import { Tick } from '#ui/tick.tsx';
import { BalanceList } from './balance-list.tsx';
import type { CohortLedger } from './find-balances.ts';
import { CohortSelect, LedgerButton } from './ledger-button.tsx';
import {
  entryTexts,
  LedgerHead,
  type OnlineHead,
  StateChip,
  TotalsTable,
} from './ledger-parts.tsx';
import {
  dayOfErasure,
  entryDetails,
  entryMessages,
  entryName,
  nameOf,
  signedAmount,
} from './ledger-words.ts';
import { payDialogId, paymentPaths } from './payment-paths.ts';
import type { Balance } from './schema.ts';

type BalancesProps = { ledger: CohortLedger; today: string };

type CohortBalancesProps = BalancesProps & {
  online: OnlineHead | null;
  /** What the owner has to look at. */
  children: ReactNode;
};

/** The account of a cohort: what it adds up to, who owes, and what was written last. */
export function CohortBalances({ ledger, today, online, children }: CohortBalancesProps) {
  const { cohort, totals, counts, recent } = ledger;
  const { currency } = cohort;
  const isEmpty = counts.everyone + counts.gone === 0;
  return (
    <>
      <LedgerHead name={cohort.name} file={paymentPaths.cohortFile(cohort.id)} online={online} />
      {children}
      <div className="accounts" data-sentry-mask>
        {currency !== null && totals.accounts > 0 && (
          <TotalsTable totals={totals} currency={currency} />
        )}
        {ledger.uncharged > 0 && <Uncharged ledger={ledger} />}
        {isEmpty || currency === null ? (
          <>
            <Choice ledger={ledger} />
            <NoBalances ledger={ledger} />
          </>
        ) : (
          <Balances ledger={ledger} currency={currency} today={today} />
        )}
        {recent.length > 0 && <Recent entries={recent} zone={cohort.timeZone ?? 'UTC'} />}
      </div>
    </>
  );
}

function NoBalances({ ledger: { cohort } }: { ledger: CohortLedger }) {
  const { t } = useLingui();
  return (cohort.priceMinor ?? 0) > 0 ? (
    <Empty title={t`No one to charge yet.`}>
      <p>
        <Trans>Everyone who enrolls is charged the price at that time.</Trans>
      </p>
    </Empty>
  ) : (
    <Empty
      title={cohort.kind === 'open' ? t`This course has no price.` : t`This cohort has no price.`}
    >
      <p>
        <Trans>Set one, and everyone who enrolls is charged.</Trans>
      </p>
      <a
        className="button button-primary button-large"
        href={`${serverPaths.cohortSettings(cohort.id)}#cohort-price`}
      >
        <Trans>Set a price</Trans>
      </a>
    </Empty>
  );
}

/**
 * Which cohort is shown; nothing where there is only an open run. A cohort of another course is
 * added to those of the selected one.
 */
function Choice({ ledger: { choices, cohort: chosen } }: { ledger: CohortLedger }) {
  const { t } = useLingui();
  const isListed = choices.some(({ id }) => id === chosen.id);
  if (chosen.kind === 'open' && choices.every(({ id }) => id === chosen.id)) {
    return null;
  }
  return (
    <form action={serverPaths.payments} className="actions">
      <CohortSelect chosen={chosen.id} label={t`Cohort`}>
        <option value="">{t`All cohorts`}</option>
        {!isListed && <option value={chosen.id}>{chosen.name}</option>}
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </CohortSelect>
      <noscript>
        <button type="submit" className="button">
          <Trans>Show</Trans>
        </button>
      </noscript>
    </form>
  );
}

function Balances({ ledger, currency, today }: BalancesProps & { currency: string }) {
  const { i18n, t } = useLingui();
  const { cohort, counts, items, next, shown } = ledger;
  const { deletedAt, archivedAt } = cohort;
  // Nothing is sent of another.
  const isInUse = cohort.timeZone !== null && deletedAt === null && archivedAt === null;
  const filters = [
    { key: 'everyone', label: t`Everyone`, count: counts.everyone },
    { key: 'owing', label: t`Still owes`, count: counts.owing },
    { key: 'left', label: t({ message: 'Left', context: 'people' }), count: counts.left },
    { key: 'gone', label: t`No longer listed`, count: counts.gone },
  ].filter(({ key, count }, index) => index < 2 || count > 0 || shown.filter === key);
  const number = '#';
  return (
    <BalanceList
      // What was selected elsewhere is not selected here.
      key={`${cohort.id} ${shown.filter} ${shown.after}`}
      cohortId={cohort.id}
      currency={currency}
      today={today}
      messages={entryMessages(i18n)}
      texts={{
        ...entryTexts(i18n, currency),
        title: t`Mark as paid`,
        selected: t`${number} selected`,
        markOne: t`Mark as paid`,
        markMany: t`Mark ${number} as paid`,
        each: t`Each of them has paid in full.`,
        submit: t`Mark as paid`,
        done: t`Marked as paid.`,
      }}
      tools={
        <>
          <Choice ledger={ledger} />
          <nav aria-label={t`Accounts`} className="segments">
            {filters.map(({ key, label, count }) => (
              <a
                key={key}
                href={paymentPaths.cohort(cohort.id, key === 'everyone' ? {} : { show: key })}
                aria-current={key === shown.filter ? 'true' : undefined}
              >
                {`${label} `}
                <small>{count}</small>
              </a>
            ))}
          </nav>
          {counts.owingNow > 0 && isInUse && (
            <Remind cohortId={cohort.id} people={counts.owingNow} {...ledger.unasked} />
          )}
        </>
      }
    >
      {items.length === 0 ? (
        <p className="py-6 text-muted">
          {shown.filter === 'owing' ? (
            <Trans>Everyone has paid.</Trans>
          ) : (
            <Trans>No one here.</Trans>
          )}
        </p>
      ) : (
        <div>
          <p className="account-heads" aria-hidden="true">
            <span>{t`Name`}</span>
            <span>{t`Charged`}</span>
            <span>{t`Paid`}</span>
            <span>{t`Balance`}</span>
          </p>
          <ul className="account-rows">
            {items.map((balance) => (
              <BalanceItem
                key={balance.id}
                balance={balance}
                cohortId={cohort.id}
                currency={currency}
              />
            ))}
          </ul>
        </div>
      )}
      {next !== null && (
        <p>
          <a
            className="button"
            href={paymentPaths.cohort(cohort.id, { show: shown.filter, after: next })}
          >
            <Trans>Next 100</Trans>
          </a>
        </p>
      )}
    </BalanceList>
  );
}

type RowProps = { balance: Balance; cohortId: string; currency: string };

/** Someone's balance: one link, a box to select it by, and one button. */
function BalanceItem({ balance, cohortId, currency }: RowProps) {
  const { i18n, t } = useLingui();
  const { id, balance_minor: due, erased_at: erasedAt } = balance;
  const name = nameOf(i18n, balance);
  const amount = (minor: number) => fullPriceOf(minor, currency, i18n.locale);
  // Accounts that need a decision aren't paid in bulk.
  const owes = due > 0 && !balance.to_settle && balance.refunding_minor === 0;
  const erasedOn = dayOfErasure(i18n, balance);
  return (
    <li
      className="account-row"
      data-account={id}
      data-owed={owes ? plainAmount(due, currency, decimalPoint(i18n.locale)) : undefined}
      data-due={owes ? due : undefined}
    >
      {owes && <Tick value={id}>{t`Select ${name}`}</Tick>}
      <PersonDisc id={balance.person_id} name={balance.name ?? ''} />
      <div className="person-name">
        <a id={`name-${id}`} href={paymentPaths.account(cohortId, id)} data-name dir="auto">
          {name}
        </a>
        <span className="text-muted">
          {endedStatuses.includes(balance.status) && `${t`Left`} · `}
          {erasedAt === null ? (
            <EmailAddress>{balance.email ?? ''}</EmailAddress>
          ) : (
            t`Erased on ${erasedOn}`
          )}
        </span>
      </div>
      <Amount label={t`Charged`}>{amount(balance.charged_minor)}</Amount>
      <Amount label={t`Paid`}>{balance.paid_minor === 0 ? '–' : amount(balance.paid_minor)}</Amount>
      <span className="account-state">
        <StateChip balance={balance} currency={currency} />
      </span>
      {owes && (
        <OpenButton
          dialogId={payDialogId}
          className="button button-small noscript:hidden"
          data-pay
          aria-describedby={`name-${id}`}
        >
          <Trans>Mark as paid</Trans>
        </OpenButton>
      )}
    </li>
  );
}

function Amount({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="account-amount">
      <span className="text-[0.875rem] text-muted @min-[48rem]:sr-only">{`${label} `}</span>
      {children}
    </span>
  );
}

const [chargeDialog, remindDialog] = ['charge-enrolled', 'remind-owing'];

function Uncharged({ ledger: { cohort, uncharged } }: { ledger: CohortLedger }) {
  const { i18n, t } = useLingui();
  const { priceMinor, earlyPriceMinor, currency } = cohort;
  const amountOf = (minor: number | null) =>
    minor === null || currency === null ? null : priceOf(minor, currency, i18n.locale);
  const early = <strong>{amountOf(earlyPriceMinor)}</strong>;
  const price = <strong>{amountOf(priceMinor)}</strong>;
  const number = '#';
  const label = (
    <Plural
      value={uncharged}
      one="Charge the person already enrolled"
      other="Charge the # people already enrolled"
    />
  );
  return (
    <div className="notice actions justify-between">
      <p>
        <Plural
          value={uncharged}
          one="# person is enrolled and not charged: the price was set later, or the charge was reversed."
          other="# people are enrolled and not charged: the price was set later, or the charge was reversed."
        />
      </p>
      <ActionDialog
        id={chargeDialog}
        opener={label}
        title={t`Charge people already enrolled?`}
        action={
          <LedgerButton
            className="button button-primary"
            action="charges"
            cohortId={cohort.id}
            dialogId={chargeDialog}
            pendingLabel={t`Charging…`}
            done={{
              none: t`Everyone has already been charged.`,
              one: t`1 person charged.`,
              other: t`${number} people charged.`,
            }}
          >
            {label}
          </LedgerButton>
        }
      >
        <p>
          {earlyPriceMinor === null ? (
            <Trans>
              Everyone enrolled who hasn’t been charged will owe {price} and see it on their page.
              No email is sent.
            </Trans>
          ) : (
            <Trans>
              Everyone enrolled who hasn’t been charged will owe the price of the day they enrolled
              ({early} or {price}) and see it on their page. No email is sent.
            </Trans>
          )}
        </p>
      </ActionDialog>
    </div>
  );
}

type RemindProps = {
  cohortId: string;
  /** How many of those who are enrolled are to be asked for what they owe. */
  people: number;
  /** How many of these have not agreed to take part, and what some of them are called. */
  notAgreed: number;
  names: readonly string[];
};

/** The button that writes to everyone who still owes, and its dialog. */
export function Remind({ cohortId, people, notAgreed, names }: RemindProps) {
  const { i18n, t } = useLingui();
  const reached = people - notAgreed;
  const more = notAgreed - names.length;
  const number = '#';
  const button = { cohortId, dialogId: remindDialog, pendingLabel: t`Sending…` };
  return (
    <ActionDialog
      id={remindDialog}
      opener={
        reached === 0 ? (
          <Trans>Remind</Trans>
        ) : (
          <Plural value={reached} one="Remind # person" other="Remind # people" />
        )
      }
      title={t`Remind those who still owe?`}
      action={
        reached === 0 ? (
          <button
            type="button"
            className="button button-primary"
            disabled
            aria-describedby="not-agreed"
          >
            <Trans>Send reminders</Trans>
          </button>
        ) : (
          <LedgerButton
            {...button}
            action="reminders"
            className="button button-primary"
            done={{
              none: t`Everyone was reminded within the last week.`,
              one: t`1 reminder is on its way.`,
              other: t`${number} reminders are on their way.`,
            }}
          >
            <Trans>Send reminders</Trans>
          </LedgerButton>
        )
      }
    >
      <p>
        <Trans>
          Everyone enrolled who has agreed to take part and still owes something gets an email with
          the amount and how to pay. No one gets two within a week. Replies go to you.
        </Trans>
      </p>
      {notAgreed > 0 && (
        <>
          <p id="not-agreed">
            <Plural
              value={notAgreed}
              one="# person was added and hasn’t agreed to take part yet, so they won’t get a reminder:"
              other="# people were added and haven’t agreed to take part yet, so they won’t get a reminder:"
            />{' '}
            <bdi>{new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(names)}</bdi>
            {more > 0 && <Plural value={more} one=" and # other" other=" and # others" />}
          </p>
          <LedgerButton
            {...button}
            action="questions"
            className="button"
            done={{
              none: t`Everyone was asked in the last week or has already been asked twice.`,
              one: t`1 email is on its way.`,
              other: t`${number} emails are on their way.`,
            }}
          >
            <Trans>Ask them to confirm</Trans>
          </LedgerButton>
        </>
      )}
    </ActionDialog>
  );
}

type RecentProps = { entries: CohortLedger['recent']; zone: string };

function Recent({ entries, zone }: RecentProps) {
  const { i18n } = useLingui();
  return (
    <section aria-labelledby="recent-entries">
      <h2 id="recent-entries">
        <Trans>Recent entries</Trans>
      </h2>
      <ul className="entries">
        {entries.map((entry) => {
          const details = entryDetails(i18n, entry);
          return (
            <li key={entry.id}>
              <span className="text-muted">{entryName(i18n, entry)}</span>
              <span dir="auto">
                <a href={paymentPaths.account(entry.cohort_id, entry.enrollment_id)}>
                  {nameOf(i18n, entry)}
                </a>
                <span className="text-muted">
                  {' · '}
                  <time dateTime={entry.created_at}>
                    {dayOfYear(dayIn(zone, new Date(entry.created_at)), i18n.locale)}
                  </time>
                  {details !== '' && ` · ${details}`}
                </span>
              </span>
              <span className="account-amount">{signedAmount(i18n, entry)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
