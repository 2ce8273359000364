'use client';

import { type ReactNode, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { leaveFor } from '#client/leave.ts';
import { Check, Select } from '#features/cohorts/fields.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { paths } from '#paths.ts';
import { SubmitButton } from '#ui/form.tsx';

type TransferFormProps = {
  cohortId: string;
  enrollmentId: string;
  /** The first of the options. */
  chosen: string;
  /** The label of the button for each cohort that is full, by its id. */
  full: Record<string, string>;
  messages: FormMessages;
  texts: { cohort: string; tell: string; move: string; moving: string; done: string };
  options: ReactNode;
};

/** Moves someone to another cohort, and goes on to their page there. */
export function TransferForm(props: TransferFormProps) {
  const { cohortId, enrollmentId, full, messages, texts } = props;
  const [chosen, setChosen] = useState(props.chosen);
  return (
    <ApiForm
      path={`/api/cohorts/${cohortId}/enrollments/${enrollmentId}/transfer/` as const}
      messages={messages}
      toInput={({ cohort_id: target = '', notify }) => ({
        cohort_id: target,
        over_capacity: target in full,
        notify: notify === 'on',
      })}
      refusals={[
        'cohort_full',
        'cohort_in_trash',
        'cohort_over',
        'enrollment_transition',
        'person_in_target',
      ]}
      onDone={(_data, { cohort_id: target = '' }) =>
        leaveFor(paths.participant(target, enrollmentId), texts.done)
      }
    >
      <div
        onChange={({ target }) => target instanceof HTMLSelectElement && setChosen(target.value)}
      >
        <Select name="cohort_id" label={texts.cohort} defaultValue={props.chosen}>
          {props.options}
        </Select>
      </div>
      <Check id="transfer-notify" name="notify" label={texts.tell} defaultChecked />
      <div className="actions">
        <SubmitButton
          label={full[chosen] ?? texts.move}
          pendingLabel={texts.moving}
          className="button"
        />
      </div>
    </ApiForm>
  );
}
