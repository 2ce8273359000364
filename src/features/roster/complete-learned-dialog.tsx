'use client';

import { DialogForm } from '#client/dialog-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import type { EarlyCompletion } from './complete-dialog.tsx';
import { learnedDialogId, learnedPath } from './roster-paths.ts';

type CompleteLearnedDialogProps = {
  cohortId: string;
  messages: FormMessages;
  texts: EarlyCompletion;
};

/** Asks before everyone is marked as completed who has done every lesson. */
export function CompleteLearnedDialog(props: CompleteLearnedDialogProps) {
  const { cohortId, messages, texts } = props;
  return (
    <Dialog id={learnedDialogId} title={texts.title}>
      <DialogForm
        path={learnedPath(cohortId)}
        dialogId={learnedDialogId}
        messages={messages}
        toInput={() => ({ before_end: false })}
        refusals={['cohort_in_trash', 'cohort_not_begun', 'cohort_not_over']}
        texts={texts}
        done={texts.done}
      >
        {texts.explanations.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </DialogForm>
    </Dialog>
  );
}
