'use client';

import { DialogForm } from '#client/dialog-form.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { rosterPaths } from './roster-paths.ts';

/** `{name}` stands for the person. */
export type RemoveTexts = {
  title: string;
  explanation: string;
  tell: string;
  submit: string;
  submitting: string;
  cancel: string;
  done: string;
};

export type RemoveDialogProps = {
  id: string;
  cohortId: string;
  enrollmentId: string;
  name: string;
  /** `refuse` for someone who only asks for a place, `withdraw` for who is offered one. */
  move: 'remove' | 'refuse' | 'withdraw';
  messages: FormMessages;
  /** Whether they can be told by email. */
  canTell: boolean;
  texts: RemoveTexts;
};

/** Takes a place from someone, who is told unless their instructor chooses otherwise. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { id, cohortId, enrollmentId, name, move, messages, canTell, texts } = props;
  return (
    <Dialog id={id} title={withName(texts.title, name)}>
      <DialogForm
        path={rosterPaths.enrollmentMove(cohortId, enrollmentId, move)}
        dialogId={id}
        messages={messages}
        toInput={({ notify }) => ({ notify: notify === 'on' })}
        refusals={['cohort_in_trash', 'enrollment_transition']}
        isDangerous
        texts={texts}
        done={texts.done}
        // The row and its button may be gone.
        onDone={() => document.getElementById(id)?.closest<HTMLElement>('.people')?.focus()}
      >
        <p>{withName(texts.explanation, name)}</p>
        {canTell && (
          <Check
            id={`${id}-notify`}
            name="notify"
            label={withName(texts.tell, name)}
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
