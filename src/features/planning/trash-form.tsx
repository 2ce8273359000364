'use client';

import { type ComponentProps, useState } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';
import { mayLoseChanges } from '#client/unsaved.ts';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { toNotifyInput } from '#features/cohorts/form-values.ts';
import { apiPaths } from '#paths.ts';

type FormProps = Pick<
  ComponentProps<typeof DialogForm>,
  'dialogId' | 'messages' | 'texts' | 'undo' | 'children'
> & { id: string; done: string };

/** Moves a cohort with people to the trash. */
export function TrashForm({ id, hasMoney, children, ...form }: FormProps & { hasMoney: boolean }) {
  const [isDecided, setDecided] = useState(false);
  return (
    <DialogForm
      {...form}
      path={apiPaths.cohort(id)}
      method="DELETE"
      toInput={({ money, ...values }) => ({
        ...toNotifyInput(values),
        money: (['refund', 'keep'] as const).find((choice) => choice === money) ?? null,
      })}
      mayStart={() => mayLoseChanges()}
      isReady={isDecided || !hasMoney}
      isDangerous
    >
      <div
        className="contents"
        onChange={({ target }) => {
          if ((target as HTMLInputElement).name === 'money') {
            setDecided(true);
          }
        }}
      >
        {children}
      </div>
    </DialogForm>
  );
}

/** Archives a cohort that has not ended. */
export function ArchiveForm({ id, ...form }: FormProps & { page: string }) {
  return (
    <DialogForm
      {...form}
      path={cohortPaths.change(id, 'archive')}
      toInput={({ notify }) => ({ notify: notify === 'on' })}
      refusals={['cohort_in_trash', 'too_many_notices']}
      mayStart={() => mayLoseChanges()}
    />
  );
}
