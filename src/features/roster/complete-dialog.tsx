'use client';

import { DialogForm } from '#client/dialog-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { completeDialogId, markPath } from './roster-paths.ts';

/** What it means to complete someone before the end; `{name}` stands for them. */
export type EarlyCompletion = {
  title: string;
  explanations: string[];
  submit: string;
  submitting: string;
  cancel: string;
  done: string;
};

type CompleteDialogProps = {
  cohortId: string;
  enrollmentId: string;
  name: string;
  messages: FormMessages;
  texts: EarlyCompletion;
};

/** Asks before someone is marked as completed while the cohort still runs. */
export function CompleteDialog(props: CompleteDialogProps) {
  const { cohortId, enrollmentId, name, messages, texts } = props;
  const withName = (text: string) => text.replace('{name}', () => name);
  return (
    <Dialog id={completeDialogId} title={withName(texts.title)}>
      <DialogForm
        path={markPath(cohortId, enrollmentId, 'complete')}
        dialogId={completeDialogId}
        messages={messages}
        toInput={() => ({ before_end: true })}
        refusals={['cohort_in_trash', 'cohort_not_begun', 'enrollment_transition']}
        texts={texts}
        done={texts.done}
      >
        {texts.explanations.map((text) => (
          <p key={text}>{withName(text)}</p>
        ))}
      </DialogForm>
    </Dialog>
  );
}
