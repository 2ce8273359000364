'use client';

import { DialogForm } from '#client/dialog-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { completeDialogId, learnedDialogId, learnedPath, markPath } from './roster-paths.ts';

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
  /** Without one, everyone who has done every lesson. */
  person?: { enrollmentId: string; name: string };
  messages: FormMessages;
  texts: EarlyCompletion;
};

/**
 * Asks before someone is marked as completed while the cohort still runs, or everyone once it is over
 * who has done every lesson.
 */
export function CompleteDialog({ cohortId, person, messages, texts }: CompleteDialogProps) {
  const withName = (text: string) => text.replace('{name}', () => person?.name ?? '');
  const id = person ? completeDialogId : learnedDialogId;
  return (
    <Dialog id={id} title={withName(texts.title)}>
      <DialogForm
        path={person ? markPath(cohortId, person.enrollmentId, 'complete') : learnedPath(cohortId)}
        dialogId={id}
        messages={messages}
        toInput={() => ({ before_end: person !== undefined })}
        refusals={[
          'cohort_in_trash',
          'cohort_not_begun',
          'cohort_not_over',
          'enrollment_transition',
        ]}
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
