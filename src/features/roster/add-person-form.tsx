'use client';

import type { ReactNode } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { overCapacity } from './roster-paths.ts';

type AddPersonFormProps = {
  cohortId: string;
  dialogId: string;
  messages: FormMessages;
  texts: { submit: string; submitting: string; cancel: string };
  /** Said when it is done, by what the person is then. */
  done: { enrolled: string; invited: string; waitlisted: string };
  children: ReactNode;
};

const check = checkBySchema(() => import('./schema.ts').then(({ PersonInput }) => PersonInput));

const refusals = [
  'cohort_full',
  'cohort_in_trash',
  'cohort_over',
  'enrollment_transition',
  'invitations_paused',
  'invitations_unwanted',
  'too_many_people',
];

/** Adds or invites someone. */
export function AddPersonForm({ cohortId, done, ...form }: AddPersonFormProps) {
  const refresh = useRefresh();
  return (
    <DialogForm
      {...form}
      path={`/api/cohorts/${cohortId}/enrollments/` as const}
      check={(values) => check(inputOf(values))}
      // The schema has found it right.
      toInput={(values) => inputOf(values) as never}
      refusals={refusals}
      onFailure={({ body }) => {
        // The fields then offer what is left.
        if (body?.code === 'cohort_full') {
          void refresh();
        }
        return false;
      }}
      done={({ status }) =>
        status === 'invited' || status === 'waitlisted' ? done[status] : done.enrolled
      }
    />
  );
}

function inputOf({ as, name, email, language }: Record<string, string>) {
  const isOver = as === overCapacity;
  return { as: isOver ? 'enrolled' : as, name, email, language, over_capacity: isOver };
}
