'use client';

import type { ComponentProps } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';
import { mayLoseChanges } from '#client/unsaved.ts';
import { toNotifyInput } from '#features/cohorts/form-values.ts';
import { apiPaths } from '#paths.ts';

type TrashFormProps = Pick<
  ComponentProps<typeof DialogForm>,
  'dialogId' | 'messages' | 'texts' | 'children'
> & { id: string; done: string };

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
