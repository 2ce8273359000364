'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { listPaths } from '#features/lists/list-paths.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { CloseButton } from '#ui/dialog.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { showToast } from '#ui/toast.tsx';
import { approveAllDialogId } from './dialogs.ts';

type ApproveAllFormProps = {
  cohortId: string;
  enrollmentIds: string[];
  messages: FormMessages;
  texts: { approve: string; approving: string; cancel: string; done: string };
  /** Who they are, and what becomes of them. */
  children: ReactNode;
  onDone: () => void;
};

/** Lets in people who ask for a place, all or some of them at once. */
export function ApproveAllForm(props: ApproveAllFormProps) {
  const { cohortId, enrollmentIds, messages, texts, children, onDone } = props;
  const refresh = useRefresh();
  return (
    <ApiForm
      path={listPaths.approved(cohortId)}
      messages={messages}
      toInput={() => ({ enrollments: enrollmentIds })}
      refusals={['cohort_in_trash', 'cohort_over']}
      onDone={async () => {
        (document.getElementById(approveAllDialogId) as HTMLDialogElement | null)?.close();
        await refresh();
        onDone();
        showToast(texts.done);
      }}
    >
      {children}
      <div className="dialog-foot">
        <CloseButton dialogId={approveAllDialogId}>{texts.cancel}</CloseButton>
        <SubmitButton
          label={texts.approve}
          pendingLabel={texts.approving}
          className="button button-primary"
        />
      </div>
    </ApiForm>
  );
}
