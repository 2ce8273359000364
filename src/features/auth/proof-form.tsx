'use client';

import { type ReactNode, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';

type ProofFormProps = {
  email: string;
  messages: FormMessages;
  sent: ReactNode;
  children: ReactNode;
};

/** Emails a login link to a logged-in user, and another one on request. */
export function ProofForm({ email, messages, sent, children }: ProofFormProps) {
  const [round, setRound] = useState(0);
  return (
    <>
      {round > 0 && sent}
      <ApiForm
        key={round}
        path={apiPaths.login}
        messages={messages}
        failuresIn="form"
        toInput={() => ({ email })}
        onDone={() => setRound(round + 1)}
      >
        {children}
      </ApiForm>
    </>
  );
}
