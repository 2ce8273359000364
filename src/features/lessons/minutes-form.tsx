'use client';

import type { ComponentProps } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import { Field } from '#ui/form.tsx';
import { lessonApi } from './lesson-paths.ts';

const checkPatch = checkBySchema(() =>
  import('./schema.ts').then(({ LessonPatch }) => LessonPatch),
);

type MinutesFormProps = Pick<
  ComponentProps<typeof DialogForm>,
  'dialogId' | 'messages' | 'texts'
> & {
  id: string;
  done: string;
  minutes: number | null;
  label: string;
  hint: string;
};

/** Changes the reading time; without one, it is estimated. */
export function MinutesForm({ id, minutes, label, hint, ...form }: MinutesFormProps) {
  const toInput = (values: Record<string, string>) => ({
    minutes: values['minutes']?.trim() ? Number(values['minutes']) : null,
  });
  return (
    <DialogForm
      {...form}
      path={lessonApi.lesson(id)}
      method="PATCH"
      check={(values) => checkPatch(toInput(values))}
      toInput={toInput}
    >
      <Field
        label={label}
        hint={hint}
        name="minutes"
        defaultValue={minutes?.toString() ?? ''}
        inputMode="numeric"
        autoComplete="off"
      />
    </DialogForm>
  );
}
