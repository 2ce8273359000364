'use client';

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { callApi } from '#client/call-api.ts';
import { problemOf } from '#client/failures.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import { findPayment, forgetPayment, type KeptPayment, keepNote } from './kept-payment.ts';
import type { CheckedPayment } from './schema.ts';

type PaidReturnProps = {
  checkoutId: string;
  texts: ProblemTexts & {
    asking: string;
    unavailable: string;
    nothingLost: string;
    tryAgain: string;
    openPage: string;
    /** What the person's page then says of a payment: for a place, for all that was owed, or else. */
    isIn: string;
    isSettled: string;
    hasArrived: string;
  };
  /** What can be said in a tab that doesn't know who has paid. */
  children: ReactNode;
};

/** Asks what has become of a payment, and leads who has paid in this tab back to their page. */
export function PaidReturn({ checkoutId, texts, children }: PaidReturnProps) {
  const [payment, setPayment] = useState<KeptPayment | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const textsRef = useRef(texts);

  const ask = useCallback(
    async (kept: KeptPayment) => {
      setPayment(kept);
      setProblem(null);
      const result = await callApi('/api/participation/checkout/check/', {
        input: { link: kept.link, checkout_id: checkoutId },
      });
      if (result.ok) {
        leave(checkoutId, kept, result.data, textsRef.current);
      } else if (result.status === 400 || result.status === 404) {
        // Their link was replaced meanwhile.
        setPayment(null);
      } else {
        const { unavailable } = textsRef.current;
        setProblem(result.status === 503 ? unavailable : problemOf(result, textsRef.current));
      }
    },
    [checkoutId],
  );
  useEffect(() => {
    const kept = findPayment(checkoutId);
    if (kept !== null) {
      void ask(kept);
    }
  }, [checkoutId, ask]);

  if (payment === null) {
    return children;
  }
  return (
    <>
      <div role="status">
        {problem === null && (
          <p className="payment-note">
            <span className="spinner" aria-hidden="true" />
            {texts.asking}
          </p>
        )}
      </div>
      <div role="alert">
        {problem !== null && (
          <div className="alert mb-6">
            {problem} {texts.nothingLost}
          </div>
        )}
      </div>
      {problem !== null && (
        <div className="grid gap-3">
          <button type="button" className="button button-primary" onClick={() => void ask(payment)}>
            {texts.tryAgain}
          </button>
          <a className="button" href={`/p/${payment.link}`}>
            {texts.openPage}
          </a>
        </div>
      )}
    </>
  );
}

/** Goes to the page of the person, which says what is kept for it here and what it knows itself. */
function leave(
  checkoutId: string,
  { link, enrollmentId, isPlace }: KeptPayment,
  { payment, status, to_pay_online: toPay }: CheckedPayment,
  texts: PaidReturnProps['texts'],
): void {
  if (payment === 'paid' && (!isPlace || status === 'enrolled')) {
    const settled = toPay === null ? texts.isSettled : texts.hasArrived;
    keepNote(enrollmentId, isPlace ? texts.isIn : settled);
  }
  if (payment === 'paid' || payment === 'expired') {
    forgetPayment(checkoutId);
  }
  // Not by a link: the way back would lead to Stripe again.
  window.location.replace(`/p/${link}`);
}
