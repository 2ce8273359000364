'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { visibleText } from '#lib/text.ts';
import { paths } from '#paths.ts';
import { useRefresh } from '#router/use-refresh.ts';
import { showToast } from '#ui/toast.tsx';
import { askToReauthenticate } from './ask-to-reauthenticate.ts';

type DeleteFormProps = {
  path: `/api/${string}`;
  /** What has to be typed into the field `typed`, letter by letter. */
  expected: string;
  messages: FormMessages;
  /** Said when it is gone; null for an account, which takes the session along. */
  deleted: string | null;
  /** The dialog that it stands in. */
  dialogId: string;
  children: ReactNode;
};

/** Deletes something for good, after what it is called was typed. */
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
          window.location.assign(paths.login);
          // Never settled: the page is on its way out.
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
