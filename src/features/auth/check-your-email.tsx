'use client';

import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { postJson, problemOf, say } from '#api/client.ts';
import { Alert } from '#ui/alert.tsx';

type CheckYourEmailProps = {
  title: string;
  description: ReactNode;
  /** The call that sends the mail once more. */
  resend: { path: `/api/${string}`; input: { email: string } };
  onBack: () => void;
};

type State = 'idle' | 'pending' | 'sent' | { problem: MessageDescriptor | string };

/** The end of sign-up and login on this page: what happens next is in the person's mailbox. */
export function CheckYourEmail({ title, description, resend, onBack }: CheckYourEmailProps) {
  const { i18n } = useLingui();
  const [state, setState] = useState<State>('idle');
  const headingRef = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => headingRef.current?.focus(), []);

  async function sendAgain() {
    if (state === 'pending') {
      return;
    }
    setState('pending');
    const result = await postJson(resend.path, resend.input);
    // For an account that is not verified yet, the answer to a login is a refusal and a fresh verification mail.
    const wasSent = result.ok || result.body?.code === 'email_not_verified';
    setState(wasSent ? 'sent' : { problem: problemOf(result) });
  }

  return (
    <div>
      <h1 ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      <p className="mt-4">{description}</p>
      <p className="mt-4 mb-6 text-muted">
        <Trans>No email? Check your spam folder, or send it again.</Trans>
      </p>
      <Alert>{typeof state === 'object' && say(i18n, state.problem)}</Alert>
      <p role="status">
        {state === 'sent' && (
          <span className="mb-6 block">
            <Trans>Sent. The newest email holds the link that works.</Trans>
          </span>
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="button"
          aria-disabled={state === 'pending'}
          onClick={sendAgain}
        >
          {state === 'pending' ? <Trans>Sending…</Trans> : <Trans>Send it again</Trans>}
        </button>
        <button type="button" className="button" onClick={onBack}>
          <Trans>Back</Trans>
        </button>
      </div>
    </div>
  );
}
