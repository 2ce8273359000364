import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { CheckoutStatus } from '#db/values.ts';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { problemTexts } from '#i18n/validation.ts';
import { PaidReturn } from './paid-return.tsx';

type PaidPageProps = {
  /** As it stands in the address. */
  link: string;
  /** Null for an address that is not ours. */
  checkout: { id: string; status: CheckoutStatus } | null;
};

/** Where Stripe leads back to: says where a payment stands, and finds the person in their own tab. */
export function PaidPage({ link, checkout }: PaidPageProps) {
  const { i18n, t } = useLingui();
  const facts = (
    <>
      {checkout !== null && <p>{i18n._(states[checkout.status])}</p>}
      <p>
        <Trans>To see where you stand, open your page: use the link in your email.</Trans>
      </p>
    </>
  );
  return (
    <PublicFrame title={t`Your payment`} query={`c=${encodeURIComponent(link)}&`}>
      <main className="public-column paid-page">
        <h1>{t`Your payment`}</h1>
        {checkout === null ? (
          facts
        ) : (
          <PaidReturn
            checkoutId={checkout.id}
            texts={{
              ...problemTexts(i18n),
              asking: t`Asking Stripe…`,
              unavailable: t`We can’t reach Stripe at the moment.`,
              nothingLost: t`Nothing is lost: we’ll record your payment and email you as soon as Stripe confirms it.`,
              tryAgain: t`Try again`,
              openPage: t`Open my page`,
              isIn: t`Your payment has arrived. You’re in!`,
              isSettled: t`Your payment has arrived. Nothing more to pay.`,
              hasArrived: t`Your payment has arrived.`,
            }}
          >
            {facts}
          </PaidReturn>
        )}
      </main>
    </PublicFrame>
  );
}

/** What the database says of a payment. */
const states: Record<CheckoutStatus, MessageDescriptor> = {
  open: msg`Stripe hasn’t told us of this payment yet. If you have paid, we’ll email you as soon as it arrives.`,
  confirming: msg`Your bank is still confirming this payment. We’ll email you.`,
  paid: msg`Your payment has arrived.`,
  expired: msg`This payment page has expired, and nothing was paid.`,
};
