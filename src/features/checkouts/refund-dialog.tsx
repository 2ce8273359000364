import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { entryMessages } from '#features/ledger/ledger-words.ts';
import { decimalPoint, plainAmount } from '#lib/price.ts';
import { Dialog } from '#ui/dialog.tsx';
import { RefundForm } from './checkout-buttons.tsx';

/** What is said of a refund that was made, or will be. */
export function refundTexts(i18n: I18n) {
  return {
    done: i18n._(msg`Stripe sends the money back.`),
    wanted: i18n._(msg`Stripe doesn’t answer right now. We keep trying, and the money goes back.`),
  };
}

type RefundDialogProps = { id: string; dialogId: string; refundable: number; currency: string };

/** The dialog that pays back a payment, or a part of it. */
export function RefundDialog({ id, dialogId, refundable, currency }: RefundDialogProps) {
  const { i18n, t } = useLingui();
  return (
    <Dialog id={dialogId} title={t`Pay back by Stripe`}>
      <RefundForm
        // A new one for what is left.
        key={refundable}
        id={id}
        dialogId={dialogId}
        currency={currency}
        amount={plainAmount(refundable, currency, decimalPoint(i18n.locale))}
        messages={entryMessages(i18n)}
        texts={{
          ...refundTexts(i18n),
          amount: t`Amount (${currency})`,
          waiveRest: t`They owe nothing more: waive the rest too`,
          submit: t`Pay back`,
          submitting: t`Paying back…`,
          cancel: t`Cancel`,
        }}
      >
        <p>
          <Trans>
            Stripe sends it back the way it was paid, within 5 to 10 days, and Lectern records it.
            Stripe’s own fee for the payment is not returned to you.
          </Trans>
        </p>
      </RefundForm>
    </Dialog>
  );
}
