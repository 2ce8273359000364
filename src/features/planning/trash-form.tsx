'use client';

import type { ReactNode } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';
import { mayLoseChanges } from '#client/unsaved.ts';
import { toNotifyInput } from '#features/cohorts/form-values.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';

type TrashFormProps = {
  id: string;
  dialogId: string;
  messages: FormMessages;
  texts: { submit: string; submitting: string; cancel: string };
  done: string;
  children: ReactNode;
};

/** Moves a cohort with people to the trash. */
export function TrashForm({ id, ...form }: TrashFormProps) {
  return (
    <DialogForm
      {...form}
      path={apiPaths.cohort(id)}
      method="DELETE"
      toInput={toNotifyInput}
      mayStart={() => mayLoseChanges()}
      isDangerous
    />
  );
}
