'use client';

import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { onTabMessage } from '#client/tabs.ts';
import { proofDialogId } from '#features/settings/ask-to-reauthenticate.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';
import { CodeStep, type CodeTexts } from './code-step.tsx';

type ProofFormProps = {
  email: string;
  messages: FormMessages;
  /** Says where the email went. */
  sent: ReactNode;
  code: CodeTexts;
  done: string;
  children: ReactNode;
};

/**
 * Emails a login link and a code to a logged-in user, and takes the code. The dialog closes when
 * the code is right, and when the link is used in another tab.
 */
export function ProofForm({ email, messages, children, ...props }: ProofFormProps) {
  const [isSent, setIsSent] = useState(false);
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
        <CodeStep email={email} texts={props.code} messages={messages} onDone={finish} />
      </>
    );
  }
  return (
    <ApiForm
      path={apiPaths.login}
      messages={messages}
      errors={{ show: 'form' }}
      toInput={() => ({ email })}
      onDone={() => setIsSent(true)}
    >
      {children}
    </ApiForm>
  );
}
