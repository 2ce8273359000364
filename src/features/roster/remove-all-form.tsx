'use client';

import type { ReactNode } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import { listPaths } from '#features/lists/list-paths.ts';
import type { FormMessages } from '#i18n/validation.ts';

type RemoveAllFormProps = {
  dialogId: string;
  /** `refused` for people who only ask for a place. */
  end: 'removed' | 'refused';
  /** Whether they are told, before anyone chooses; null if they cannot be. */
  tells: boolean | null;
  cohortId: string;
  enrollmentIds: string[];
  messages: FormMessages;
  texts: { tell: string; submit: string; submitting: string; cancel: string };
  done: string;
  /** Who they are. */
  children: ReactNode;
  onDone?: () => void;
};

/** Removes people, or turns them down, all at once. */
export function RemoveAllForm(props: RemoveAllFormProps) {
  const { end, tells, cohortId, enrollmentIds, children, ...form } = props;
  return (
    <DialogForm
      {...form}
      path={listPaths[end](cohortId)}
      toInput={({ notify }) => ({ enrollments: enrollmentIds, notify: notify === 'on' })}
      refusals={['cohort_in_trash']}
      isDangerous
    >
      {children}
      {tells !== null && (
        <Check
          id={`${form.dialogId}-notify`}
          name="notify"
          label={form.texts.tell}
          defaultChecked={tells}
        />
      )}
    </DialogForm>
  );
}
