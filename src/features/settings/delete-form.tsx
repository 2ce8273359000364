'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import type { ApiPath } from '#client/api-routes.ts';
import { leaveSession } from '#client/leave.ts';
import { tellTabs } from '#client/tabs.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { visibleText } from '#lib/text.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { closeDialog } from '#ui/dialog.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { showToast } from '#ui/toast.tsx';
import { useTyped } from '#ui/use-typed.ts';
import { askToReauthenticate } from './ask-to-reauthenticate.ts';

type DeleteFormProps = {
  path: ApiPath<'DELETE'>;
  /** The text that must be typed into the field `typed`. */
  expected: string;
  messages: FormMessages;
  /** Shown when it is deleted; null for an account, whose session ends too. */
  deleted: string | null;
  dialogId: string;
  confirm: string;
  deleting: string;
  cancel: ReactNode;
  children: ReactNode;
};

/** Deletes something permanently, after its name was typed. */
export function DeleteForm(props: DeleteFormProps) {
  const { path, expected, messages, deleted, dialogId, confirm, deleting, cancel } = props;
  const refresh = useRefresh();
  const isExpected = (typed: string) => visibleText(typed) === visibleText(expected);
  return (
    <ApiForm
      path={path}
      method="DELETE"
      messages={messages}
      check={async ({ typed = '' }) => (isExpected(typed) ? {} : { typed: 'typed_text_differs' })}
      toInput={() => undefined}
      onFailure={askToReauthenticate}
      onDone={async () => {
        if (deleted === null) {
          giveUpChanges();
          tellTabs({ kind: 'signed-out' });
          return leaveSession();
        }
        giveUpChanges('course');
        closeDialog(dialogId);
        showToast(deleted);
        await refresh();
      }}
    >
      {props.children}
      <DeleteFoot confirm={confirm} deleting={deleting} isExpected={isExpected}>
        {cancel}
      </DeleteFoot>
    </ApiForm>
  );
}

type DeleteFootProps = Pick<DeleteFormProps, 'confirm' | 'deleting' | 'children'> & {
  isExpected: (typed: string) => boolean;
};

/** The button is disabled until the text is the same; Enter says why. */
function DeleteFoot({ confirm, deleting, isExpected, children }: DeleteFootProps) {
  const [isSame, setIsSame] = useState(false);
  const ref = useTyped((read) => setIsSame(isExpected(read('typed'))));
  useEffect(() => {
    const form = ref.current?.closest('form');
    // Browsers do not submit by Enter while the button is disabled.
    const onKeyDown = ({ key, target, isComposing }: KeyboardEvent) => {
      if (key === 'Enter' && !isComposing && !isSame && target instanceof HTMLInputElement) {
        form?.requestSubmit();
      }
    };
    form?.addEventListener('keydown', onKeyDown);
    return () => form?.removeEventListener('keydown', onKeyDown);
  }, [isSame, ref]);
  return (
    <div ref={ref} className="dialog-foot">
      {children}
      <SubmitButton
        label={confirm}
        pendingLabel={deleting}
        className="button button-delete"
        isDisabled={!isSame}
      />
    </div>
  );
}
