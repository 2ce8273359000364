'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { problemOf } from '#client/failures.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { type KeptPayment, keepPayment, takeNote } from './kept-payment.ts';
import { useAlert } from './participant-button.tsx';

type PayButtonProps = KeptPayment & {
  /** Stripe's origin: the browser goes nowhere else, even if the answer says so. */
  checkoutOrigin: string;
  texts: ProblemTexts & { pending: string; tryAgain: string; unavailable: string };
  className: string;
  children: ReactNode;
};

/** Goes to the page at Stripe on which someone pays, and keeps in this tab who they are. */
export function PayButton(props: PayButtonProps) {
  const { link, enrollmentId, isPlace, checkoutOrigin, texts, className, children } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const setAlert = useAlert();
  const refresh = useRefresh();

  useEffect(() => {
    // A browser that comes back shows the page as it was left: busy, and maybe no longer right.
    function reloadIfBack(event: PageTransitionEvent): void {
      if (event.persisted) {
        window.location.reload();
      }
    }
    window.addEventListener('pageshow', reloadIfBack);
    return () => window.removeEventListener('pageshow', reloadIfBack);
  }, []);

  return (
    <div>
      <div role="alert">{problem !== null && <div className="alert mb-3">{problem}</div>}</div>
      <ActionButton
        path="/api/participation/checkout/"
        call={{ input: { link, enrollment_id: enrollmentId } }}
        className={className}
        pendingLabel={texts.pending}
        onDone={({ checkout_id: id, url }) => {
          if (URL.parse(url)?.origin !== checkoutOrigin) {
            return setProblem(texts.unavailable);
          }
          keepPayment(id, { link, enrollmentId, isPlace });
          window.location.assign(url);
          return 'leaving';
        }}
        onFailure={(failure) => {
          const { status } = failure;
          const text = problemOf(failure, texts);
          const isRefused = status === 400 || status === 404 || status === 422;
          setProblem(isRefused ? null : text);
          setAlert(isRefused ? text : null);
          if (isRefused) {
            // The page shows how things are by now, maybe without this button.
            void refresh();
          }
          return true;
        }}
      >
        {problem !== null ? (
          texts.tryAgain
        ) : (
          <>
            <span className="icon icon-payments" />
            {children}
          </>
        )}
      </ActionButton>
    </div>
  );
}

/** Says once what has become of a payment, to who has just come back from it. */
export function PaidNote({ enrollmentId }: Pick<KeptPayment, 'enrollmentId'>) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => setText((shown) => takeNote(enrollmentId) ?? shown), [enrollmentId]);
  return (
    <div role="status">
      {text !== null && (
        <p className="payment-note" data-kind="done">
          <span className="icon icon-check" />
          {text}
        </p>
      )}
    </div>
  );
}
