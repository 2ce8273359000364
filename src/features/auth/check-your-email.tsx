'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { callApi, problemOf } from '#client/call-api.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { useMailed } from './mail-form.tsx';

type CheckYourEmailProps = {
  texts: { sendAgain: string; sending: string; sent: string; back: string };
  messages: FormMessages;
  title: string;
  children: ReactNode;
};

type State = 'idle' | 'pending' | 'sent' | { problem: string };

/** The last step of sign-up and login on this page: the next one is in the user's mailbox. */
export function CheckYourEmail({ texts, messages, title, children }: CheckYourEmailProps) {
  const { email, startAgain } = useMailed();
  const [state, setState] = useState<State>('idle');
  const headingRef = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => headingRef.current?.focus(), []);

  async function sendAgain() {
    if (state === 'pending') {
      return;
    }
    setState('pending');
    const result = await callApi(apiPaths.login, { input: { email } });
    // A login to an unverified account is refused, and sends a new verification email.
    const wasSent = result.ok || result.body?.code === 'email_not_verified';
    setState(wasSent ? 'sent' : { problem: problemOf(result, messages) });
  }

  return (
    <div>
      <span className="medallion" aria-hidden="true">
        <span className="icon icon-mail" />
      </span>
      <h1 ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      {children}
      <div role="alert">
        {typeof state === 'object' && <div className="alert mb-6">{state.problem}</div>}
      </div>
      <p role="status">{state === 'sent' && <span className="notice mb-6">{texts.sent}</span>}</p>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="button"
          aria-disabled={state === 'pending'}
          onClick={sendAgain}
        >
          {state === 'pending' ? texts.sending : texts.sendAgain}
        </button>
        <button type="button" className="button" onClick={startAgain}>
          {texts.back}
        </button>
      </div>
    </div>
  );
}
