'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { callApi, problemOf } from '#client/call-api.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';

type State = 'idle' | 'pending' | 'sent' | { problem: string };

const ResendContext = createContext<{ isPending: boolean; resend: () => void }>({
  isPending: false,
  resend: () => {},
});

type ResendLineProps = {
  email: string;
  texts: { sending: string; sent: string };
  messages: FormMessages;
  className?: string;
  /** Called when a new email was sent: the code in the one before no longer works. */
  onSent: () => void;
  /** The sentence, with a ResendButton in it. */
  children: ReactNode;
};

/** A sentence that offers to send the email again. What becomes of it stands in the same line. */
export function ResendLine(props: ResendLineProps) {
  const { email, texts, messages, className = '', onSent, children } = props;
  const [state, setState] = useState<State>('idle');
  const isPending = state === 'pending';

  async function resend(): Promise<void> {
    if (isPending) {
      return;
    }
    setState('pending');
    const result = await callApi(apiPaths.login, { input: { email } });
    // A login to an unverified account is refused, and sends a new verification email.
    if (result.ok || result.body?.code === 'email_not_verified') {
      setState('sent');
      onSent();
    } else {
      setState({ problem: problemOf(result, messages) });
    }
  }

  return (
    <div className={`text-sm text-muted ${className}`}>
      <ResendContext value={{ isPending, resend: () => void resend() }}>
        <span>{children}</span>
      </ResendContext>{' '}
      <span role="status">
        {isPending && texts.sending}
        {state === 'sent' && texts.sent}
      </span>
      <div role="alert">
        {typeof state === 'object' && <p className="field-error">{state.problem}</p>}
      </div>
    </div>
  );
}

/** The words in the sentence that send the email again. */
export function ResendButton({ children }: { children: ReactNode }) {
  const { isPending, resend } = useContext(ResendContext);
  return (
    <button type="button" className="link" aria-disabled={isPending} onClick={resend}>
      {children}
    </button>
  );
}
