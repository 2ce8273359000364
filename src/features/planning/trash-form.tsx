'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { mayLoseChanges } from '#client/leave-guard.ts';
import { useAnswers } from '#features/cohorts/cohort-button.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { toldBy } from './told-by.ts';

type TrashFormProps = {
  id: string;
  dialogId: string;
  messages: FormMessages;
  done: string;
  children: ReactNode;
};

/** Moves a cohort with people to the trash. */
export function TrashForm({ id, dialogId, messages, done, children }: TrashFormProps) {
  const { onDone: showDone } = useAnswers(done);
  return (
    <ApiForm
      path={apiPaths.cohort(id)}
      method="DELETE"
      messages={messages}
      toInput={toldBy}
      mayStart={() => mayLoseChanges()}
      onDone={async () => {
        (document.getElementById(dialogId) as HTMLDialogElement | null)?.close();
        await showDone();
      }}
    >
      {children}
    </ApiForm>
  );
}
