'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import type { ApiPath } from '#client/api-routes.ts';
import { leaveSession } from '#client/leave-session.ts';
import { tellTabs } from '#client/tabs.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { visibleText } from '#lib/text.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';
import { askToReauthenticate } from './ask-to-reauthenticate.ts';

type DeleteFormProps = {
  path: ApiPath<'DELETE'>;
  /** The text that must be typed into the field `typed`. */
  expected: string;
  messages: FormMessages;
  /** Shown when it is deleted; null for an account, whose session ends too. */
  deleted: string | null;
  dialogId: string;
  children: ReactNode;
};

/** Deletes something permanently, after its name was typed. */
export function DeleteForm(props: DeleteFormProps) {
  const { path, expected, messages, deleted, dialogId, children } = props;
  const refresh = useRefresh();
  return (
    <ApiForm
      path={path}
      method="DELETE"
      messages={messages}
      check={async ({ typed = '' }) =>
        visibleText(typed) === visibleText(expected) ? {} : { typed: 'typed_text_differs' }
      }
      toInput={() => undefined}
      failuresIn="dialog"
      onFailure={askToReauthenticate}
      onDone={async () => {
        if (deleted === null) {
          tellTabs({ kind: 'signed-out' });
          leaveSession();
          // Never settles: the page is being left.
          return new Promise<void>(() => {});
        }
        (document.getElementById(dialogId) as HTMLDialogElement | null)?.close();
        showToast(deleted);
        await refresh();
      }}
    >
      {children}
    </ApiForm>
  );
}
