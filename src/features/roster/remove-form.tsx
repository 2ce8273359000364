'use client';

import { ApiForm } from '#client/api-form.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import { useRefresh } from '#router/use-load-page.ts';
import { CloseButton } from '#ui/dialog.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { showToast } from '#ui/toast.tsx';
import { withName } from './dialogs.ts';
import type { RemoveDialogProps } from './remove-dialog.tsx';
import { rosterPaths } from './roster-paths.ts';

/** Takes a place from someone, who is told unless their instructor chooses otherwise. */
export function RemoveForm(props: RemoveDialogProps) {
  const { id, cohortId, enrollmentId, name, move, canTell, messages, texts } = props;
  const refresh = useRefresh();
  return (
    <ApiForm
      path={rosterPaths.enrollmentMove(cohortId, enrollmentId, move)}
      messages={messages}
      toInput={({ notify }) => ({ notify: notify === 'on' })}
      refusals={['cohort_in_trash', 'enrollment_transition']}
      onDone={async () => {
        const dialog = document.getElementById(id) as HTMLDialogElement | null;
        const list = dialog?.closest<HTMLElement>('.people');
        dialog?.close();
        await refresh();
        // The row and its button may be gone.
        list?.focus();
        showToast(texts.done);
      }}
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
      <div className="dialog-foot">
        <CloseButton dialogId={id}>{texts.cancel}</CloseButton>
        <SubmitButton
          label={texts.remove}
          pendingLabel={texts.removing}
          className="button button-delete"
        />
      </div>
    </ApiForm>
  );
}
