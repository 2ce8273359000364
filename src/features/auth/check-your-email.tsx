'use client';

import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { postJson } from '#api/client.ts';
import { errorMessages } from '#i18n/errors.ts';
import { Alert } from '#ui/alert.tsx';

type CheckYourEmailProps = {
  title: string;
  description: ReactNode;
  /** The call that sends the mail once more. */
  resend: { path: `/api/${string}`; input: { email: string } };
  onBack: () => void;
};

/** The end of sign-up and login on this page: what happens next is in the person's mailbox. */
export function CheckYourEmail({ title, description, resend, onBack }: CheckYourEmailProps) {
  const { i18n } = useLingui();
  const [state, setState] = useState<'idle' | 'pending' | 'sent' | { problem: string | null }>(
    'idle',
  );
  const headingRef = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => headingRef.current?.focus(), []);

  async function sendAgain() {
    setState('pending');
    const result = await postJson(resend.path, resend.input);
    // For an account that is not verified yet, the answer to a login is a refusal and a fresh verification mail.
    const wasSent = result.ok || result.body?.code === 'email_not_verified';
    setState(wasSent ? 'sent' : { problem: result.body?.message ?? null });
  }

  return (
    <div>
      <h1 ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      <p className="mt-4">{description}</p>
      <p className="mt-4 mb-6 text-muted">
        <Trans>No email? Please look into your spam folder, or have it sent again.</Trans>
      </p>
      <Alert>
        {typeof state === 'object' ? (state.problem ?? i18n._(errorMessages.internal)) : null}
      </Alert>
      <p role="status">
        {state === 'sent' && (
          <span className="mb-6 block">
            <Trans>Sent. The newest email holds the link that works.</Trans>
          </span>
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="button" disabled={state === 'pending'} onClick={sendAgain}>
          {state === 'pending' ? <Trans>Sending…</Trans> : <Trans>Send it again</Trans>}
        </button>
        <button type="button" className="button" onClick={onBack}>
          <Trans>Back</Trans>
        </button>
      </div>
    </div>
  );
}
