import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Context } from '#context.ts';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { dashboardUrl } from '#features/stripe/dashboard.ts';
import { fullPriceOf } from '#lib/price.ts';
import { dayIn, dayOfYear } from '#lib/time/words.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { MoreMenu } from '#ui/more-menu.tsx';
import { checkoutPaths } from './checkout-paths.ts';
import type { OnlinePayment } from './list-checkouts.ts';
import { RefundDialog } from './refund-dialog.tsx';

type OnlineEntryProps = {
  payment: OnlinePayment;
  ctx: Pick<Context, 'config'>;
  /** What else the menu has, at its beginning. */
  children: ReactNode;
};

/** The menu of an entry that was paid online. */
export function OnlineEntryMenu({ payment, ctx, children }: OnlineEntryProps) {
  const { i18n, t } = useLingui();
  const { id, paidMinor, currency, paymentIntent, refundable } = payment;
  const [menuId, dialogId] = [`online-${id}`, `pay-back-${id}`];
  const amount = fullPriceOf(paidMinor, currency, i18n.locale);
  return (
    <>
      <MoreMenu id={menuId} label={t`More about the payment of ${amount}`}>
        {children}
        <a
          className="menu-item"
          href={dashboardUrl(ctx, `payments/${paymentIntent ?? ''}`)}
          target="_blank"
          rel="noreferrer"
        >
          <span className="icon icon-outside" />
          <Trans>See it in Stripe</Trans>
        </a>
        <ChangeButton
          path={checkoutPaths.check(id)}
          className="menu-item"
          pendingLabel={t`Asking Stripe…`}
          done={t`Up to date with Stripe.`}
        >
          <span className="icon icon-redo" />
          <Trans>Check with Stripe</Trans>
        </ChangeButton>
        {refundable > 0 && (
          <OpenButton dialogId={dialogId} className="menu-item">
            <span className="icon icon-undo" />
            <Trans>Pay back…</Trans>
          </OpenButton>
        )}
      </MoreMenu>
      <RefundDialog id={id} dialogId={dialogId} refundable={refundable} currency={currency} />
    </>
  );
}

/** What is on its way back to someone, and what has not gone back; nothing without any. */
export function ReturnNotes({ payments, zone }: { payments: OnlinePayment[]; zone: string }) {
  const { i18n } = useLingui();
  return payments.map(({ id, currency, underWay, failed, failedAt }) => {
    const back = <strong>{fullPriceOf(underWay, currency, i18n.locale)}</strong>;
    const lost = <strong>{fullPriceOf(failed ?? 0, currency, i18n.locale)}</strong>;
    const day = <span>{dayOfYear(dayIn(zone, new Date(failedAt ?? 0)), i18n.locale)}</span>;
    return (
      <div key={id} className="contents">
        {underWay > 0 && (
          <p className="notice">
            <Trans>Stripe is refunding {back}. It appears here once Stripe confirms it.</Trans>
          </p>
        )}
        {failedAt !== null && (
          <p className="notice">
            <Trans>
              The refund of {lost} on {day} didn’t go through: Stripe refused it, or it failed
              later.
            </Trans>
          </p>
        )}
      </div>
    );
  });
}
