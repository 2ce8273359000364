'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { CloseButton } from '#ui/dialog.tsx';
import { Field, SubmitButton } from '#ui/form.tsx';
import { showToast } from '#ui/toast.tsx';
import { reverseDialogId } from './dialogs.ts';
import { paymentPaths } from './payment-paths.ts';

type ReverseFormProps = {
  entryId: string;
  messages: FormMessages;
  texts: {
    note: string;
    noteHint: string;
    reverse: string;
    reversing: string;
    cancel: string;
    done: string;
  };
  /** What happens, in words. */
  children: ReactNode;
};

/** Takes an entry back. */
export function ReverseForm({ entryId, messages, texts, children }: ReverseFormProps) {
  const refresh = useRefresh();
  const dialogId = reverseDialogId(entryId);
  return (
    <ApiForm
      path={paymentPaths.reverse(entryId)}
      messages={messages}
      toInput={({ note }) => ({ note: note ?? null })}
      refusals={['entry_is_reversal']}
      onDone={async () => {
        (document.getElementById(dialogId) as HTMLDialogElement | null)?.close();
        await refresh();
        showToast(texts.done);
      }}
    >
      {children}
      <Field
        id={`${dialogId}-note`}
        name="note"
        label={texts.note}
        hint={texts.noteHint}
        autoComplete="off"
        dir="auto"
      />
      <div className="dialog-foot">
        <CloseButton dialogId={dialogId}>{texts.cancel}</CloseButton>
        <SubmitButton
          label={texts.reverse}
          pendingLabel={texts.reversing}
          className="button button-delete"
        />
      </div>
    </ApiForm>
  );
}
