import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Context } from '#context.ts';
import type { CheckoutProblem } from '#db/values.ts';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { paymentPaths } from '#features/ledger/payment-paths.ts';
import { OpenStripe } from '#features/payment-accounts/getting-paid.tsx';
import { priceOf } from '#lib/price.ts';
import { momentIn, momentInUtc } from '#lib/time/words.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import { PayBackButton } from './checkout-buttons.tsx';
import { checkoutPaths } from './checkout-paths.ts';
import type { ProblemCheckout } from './list-checkouts.ts';
import { RefundDialog, refundTexts } from './refund-dialog.tsx';

type ProblemProps = { problem: ProblemCheckout; ctx: Pick<Context, 'config'> };

/** The payments that wait for their instructor; nothing without any. */
export function ProblemCard({
  problems,
  ctx,
}: Pick<ProblemProps, 'ctx'> & { problems: ProblemCheckout[] }) {
  return problems.length === 0 ? null : (
    <section
      className="card payments-look @container border-warn"
      aria-labelledby="payments-look"
      data-sentry-mask
    >
      <h2
        id="payments-look"
        className="mb-4 flex items-center gap-3 font-sans text-base/6 tracking-normal text-warn"
      >
        <span className="icon icon-alert" />
        <Plural
          value={problems.length}
          one="# payment needs a look"
          other="# payments need a look"
        />
      </h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem.id}>
            <Problem problem={problem} ctx={ctx} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Problem({ problem, ctx }: ProblemProps) {
  const { t } = useLingui();
  const { id, person_id: personId, cohort_id: cohortId, enrollment_id: enrollmentId } = problem;
  const name = problem.name ?? t`An erased person`;
  const { what, why } = useWords(problem);
  const isReturning = problem.problem === 'no_place' && problem.refundable_minor === 0;
  return (
    <>
      <PersonDisc id={personId} name={problem.name ?? ''} />
      <div id={`look-${id}`}>
        <p>
          <a
            className="font-semibold"
            href={paymentPaths.account(cohortId, enrollmentId)}
            dir="auto"
          >
            {name}
          </a>{' '}
          <span className="text-muted">
            {'· '}
            {what}
          </span>
        </p>
        <p className="hint">{isReturning ? <Trans>The money is on its way back.</Trans> : why}</p>
      </div>
      <div className="payments-look-actions noscript:hidden">
        {!isReturning && <Answers problem={problem} ctx={ctx} />}
      </div>
    </>
  );
}

/** What was paid and is wrong with it; and what has happened, and happens without an answer. */
function useWords(problem: ProblemCheckout): Record<'what' | 'why', ReactNode> {
  const { i18n } = useLingui();
  const { paid_minor: minor, paid_currency: paidIn, currency, overpaid, timeZone } = problem;
  const paid = <span>{priceOf(minor ?? 0, paidIn ?? currency, i18n.locale)}</span>;
  const over = <span>{priceOf(overpaid, currency, i18n.locale)}</span>;
  const cohort = <bdi>{problem.cohort_name}</bdi>;
  const until = problem.decide_by;
  const at = new Date(until ?? 0);
  const end = (
    <time dateTime={at.toISOString()}>
      {timeZone === null ? momentInUtc(at, i18n.locale) : momentIn(timeZone, at, i18n.locale)}
    </time>
  );
  const words: Record<CheckoutProblem, Record<'what' | 'why', ReactNode>> = {
    no_place: {
      what: <Trans>{paid}, paid too late</Trans>,
      why: (
        <>
          <Trans>In {cohort}, the place was no longer theirs.</Trans>{' '}
          {until !== null && (
            <Trans>If you don’t respond, the full amount is refunded automatically on {end}.</Trans>
          )}
        </>
      ),
    },
    overpaid: {
      what: <Trans>{paid}, more than was owed</Trans>,
      why:
        overpaid > 0 ? (
          <Trans>
            In {cohort}, they overpaid by {over}. If you don’t respond, it stays in their account.
          </Trans>
        ) : (
          <Trans>Their account in {cohort} is now settled.</Trans>
        ),
    },
    disputed: {
      what: <Trans>{paid}, disputed</Trans>,
      why: (
        <Trans>
          In {cohort}, the payer has asked their bank for a refund. If you don’t respond in Stripe,
          the bank decides in their favor.
        </Trans>
      ),
    },
    dispute_lost: {
      what: <Trans>{paid}, dispute lost</Trans>,
      why: (
        <Trans>
          In {cohort}, the bank returned the money to the payer. They won’t get payment reminders
          until you choose “Settled”.
        </Trans>
      ),
    },
    lost: {
      what: <Trans>{paid}, a refund has failed</Trans>,
      why: (
        <Trans>
          In {cohort}. The money is back in your Stripe account. If you don’t respond, it stays
          there.
        </Trans>
      ),
    },
  };
  return words[problem.problem ?? 'lost'];
}

/** Two ways to answer; neither is the first. */
function Answers({ problem, ctx }: ProblemProps) {
  const { t } = useLingui();
  const { id, overpaid, refundable_minor: refundable, paid_currency: currency } = problem;
  const path = checkoutPaths.problem(id);
  const settle = (label: ReactNode, done: string) => (
    <ChangeButton<typeof path, 'DELETE'>
      path={path}
      call={{ method: 'DELETE' }}
      describedBy={`look-${id}`}
      className="button"
      pendingLabel={t`Saving…`}
      done={done}
    >
      {label}
    </ChangeButton>
  );
  switch (problem.problem) {
    case 'no_place':
      return (
        <>
          <PayBack problem={problem} amount={refundable} />
          {problem.canJoin && <LetIn problem={problem} />}
        </>
      );
    case 'overpaid':
      return (
        <>
          <PayBack problem={problem} amount={Math.min(overpaid, refundable)} />
          {settle(<Trans context="payments">Keep</Trans>, t`It stays in their account.`)}
        </>
      );
    case 'disputed':
      return (
        <>
          <OpenStripe ctx={ctx} path="disputes" />
          {settle(<Trans context="payments">Settled</Trans>, t`Taken off the list.`)}
        </>
      );
    case 'dispute_lost':
      return settle(<Trans context="payments">Settled</Trans>, t`Taken off the list.`);
    default: {
      const dialogId = `pay-back-${id}`;
      return (
        <>
          {refundable > 0 && (
            <OpenButton dialogId={dialogId} className="button" aria-describedby={`look-${id}`}>
              <Trans>Pay back…</Trans>
            </OpenButton>
          )}
          {settle(<Trans context="payments">Settled</Trans>, t`Taken off the list.`)}
          <RefundDialog
            id={id}
            dialogId={dialogId}
            refundable={refundable}
            currency={currency ?? problem.currency}
          />
        </>
      );
    }
  }
}

function PayBack({ problem, amount }: Pick<ProblemProps, 'problem'> & { amount: number }) {
  const { i18n, t } = useLingui();
  const { id, paid_currency: currency } = problem;
  const price = priceOf(amount, currency ?? problem.currency, i18n.locale);
  return amount === 0 ? null : (
    <PayBackButton
      id={id}
      amount={amount}
      describedBy={`look-${id}`}
      className="button"
      pendingLabel={t`Paying back…`}
      texts={refundTexts(i18n)}
    >
      {t`Pay back ${price}`}
    </PayBackButton>
  );
}

function LetIn({ problem }: Pick<ProblemProps, 'problem'>) {
  const { t } = useLingui();
  const { id, taken, capacity } = problem;
  const isOver = capacity !== null && taken >= capacity;
  const next = taken + 1;
  return (
    <ChangeButton
      path={checkoutPaths.letIn(id)}
      call={{ input: { over_capacity: isOver } }}
      describedBy={`look-${id}`}
      className="button"
      pendingLabel={t`One moment…`}
      done={t`They’re in.`}
    >
      {isOver ? t`Let in, ${next} of ${capacity}` : t`Let in`}
    </ChangeButton>
  );
}
