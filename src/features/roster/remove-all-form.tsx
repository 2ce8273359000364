'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import { listPaths } from '#features/lists/list-paths.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { CloseButton } from '#ui/dialog.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { showToast } from '#ui/toast.tsx';

type RemoveAllFormProps = {
  dialogId: string;
  /** `refused` for people who only ask for a place. */
  end: 'removed' | 'refused';
  /** Whether they are told, before anyone chooses; null if they cannot be. */
  tells: boolean | null;
  cohortId: string;
  enrollmentIds: string[];
  messages: FormMessages;
  texts: { tell: string; remove: string; removing: string; cancel: string; done: string };
  /** Who they are. */
  children: ReactNode;
  onDone?: () => void;
};

/** Removes people, or turns them down, all at once. */
export function RemoveAllForm(props: RemoveAllFormProps) {
  const { dialogId, end, tells, cohortId, enrollmentIds, messages, texts, children } = props;
  const refresh = useRefresh();
  return (
    <ApiForm
      path={listPaths[end](cohortId)}
      messages={messages}
      toInput={({ notify }) => ({ enrollments: enrollmentIds, notify: notify === 'on' })}
      refusals={['cohort_in_trash']}
      onDone={async () => {
        (document.getElementById(dialogId) as HTMLDialogElement | null)?.close();
        await refresh();
        props.onDone?.();
        showToast(texts.done);
      }}
    >
      {children}
      {tells !== null && (
        <Check id={`${dialogId}-notify`} name="notify" label={texts.tell} defaultChecked={tells} />
      )}
      <div className="dialog-foot">
        <CloseButton dialogId={dialogId}>{texts.cancel}</CloseButton>
        <SubmitButton
          label={texts.remove}
          pendingLabel={texts.removing}
          className="button button-delete"
        />
      </div>
    </ApiForm>
  );
}
