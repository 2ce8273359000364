'use client';

import { type ComponentProps, type ReactNode, useCallback, useEffect, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { onTabMessage } from '#client/tabs.ts';
import { proofDialogId } from '#features/settings/ask-to-reauthenticate.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';
import { CodeForm, type CodeTexts } from './code-form.tsx';
import { ResendLine } from './resend-line.tsx';

type ProofFormProps = {
  email: string;
  messages: FormMessages;
  /** Says where the email went. */
  sent: ReactNode;
  code: CodeTexts;
  resend: ComponentProps<typeof ResendLine>['texts'] & { sentence: ReactNode };
  /** Shown when the user has logged in again. */
  done: string;
  children: ReactNode;
};

/**
 * Emails a login link to a logged-in user, and takes the code in it. The dialog closes when the code
 * is right, and when the link is used in another tab.
 */
export function ProofForm({ email, messages, children, ...props }: ProofFormProps) {
  const [isSent, setIsSent] = useState(false);
  // A new field for each email.
  const [round, setRound] = useState(0);
  const refresh = useRefresh();
  const { done } = props;

  const finish = useCallback(() => {
    setIsSent(false);
    const dialog = document.getElementById(proofDialogId) as HTMLDialogElement | null;
    if (dialog?.open) {
      dialog.close();
      showToast(done);
      void refresh();
    }
  }, [done, refresh]);

  useEffect(
    () => (isSent ? onTabMessage(({ kind }) => kind === 'confirmed' && finish()) : undefined),
    [isSent, finish],
  );

  if (isSent) {
    return (
      <>
        {props.sent}
        <CodeForm key={round} texts={props.code} messages={messages} onDone={finish} />
        <ResendLine
          email={email}
          texts={props.resend}
          messages={messages}
          onSent={() => setRound(round + 1)}
        >
          {props.resend.sentence}
        </ResendLine>
      </>
    );
  }
  return (
    <ApiForm
      path={apiPaths.login}
      messages={messages}
      failuresIn="form"
      toInput={() => ({ email })}
      onDone={() => setIsSent(true)}
    >
      {children}
    </ApiForm>
  );
}
