'use client';

import type { ComponentProps } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';
import { mayLoseChanges } from '#client/unsaved.ts';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';

type ArchiveFormProps = Pick<
  ComponentProps<typeof DialogForm>,
  'dialogId' | 'messages' | 'texts' | 'undo' | 'children'
> &
  Record<'id' | 'done' | 'page', string>;

/** Archives a cohort that has not ended, and tells its people if they are to know. */
export function ArchiveForm({ id, ...form }: ArchiveFormProps) {
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
