'use client';

import { DialogForm } from '#client/dialog-form.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { movePath } from './roster-paths.ts';

/** How someone loses their place, or the way to one. `{name}` stands for them. */
export type End = {
  /** `refuse` for someone who only asks for a place, `withdraw` for who is offered one. */
  move: 'remove' | 'refuse' | 'withdraw';
  title: string;
  explanation: string;
  tell: string;
  submit: string;
  submitting: string;
  cancel: string;
  done: string;
};

type RemoveDialogProps = {
  id: string;
  cohortId: string;
  enrollmentId: string;
  name: string;
  messages: FormMessages;
  /** Whether they can be told by email. */
  canTell: boolean;
  end: End;
};

/** Takes a place from someone, who is told unless their instructor chooses otherwise. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { id, cohortId, enrollmentId, name, messages, canTell, end } = props;
  return (
    <Dialog id={id} title={withName(end.title, name)}>
      <DialogForm
        path={movePath(cohortId, enrollmentId, end.move)}
        dialogId={id}
        messages={messages}
        toInput={({ notify }) => ({ notify: notify === 'on' })}
        refusals={['cohort_in_trash', 'enrollment_transition']}
        isDangerous
        texts={end}
        done={end.done}
        // The row and its button may be gone.
        onDone={() => document.getElementById(id)?.closest<HTMLElement>('.people')?.focus()}
      >
        <p>{withName(end.explanation, name)}</p>
        {canTell && (
          <Check
            id={`${id}-notify`}
            name="notify"
            label={withName(end.tell, name)}
            defaultChecked
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

function withName(text: string, name: string): string {
  return text.replace('{name}', () => name);
}
