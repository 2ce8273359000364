'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import type { ApiPath } from '#client/api-routes.ts';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';
import { askToReauthenticate } from './ask-to-reauthenticate.ts';

const checks = {
  account: checkBySchema(() =>
    import('#features/accounts/schema.ts').then(({ AccountPatch }) => AccountPatch),
  ),
  course: checkBySchema(() =>
    import('#features/courses/schema.ts').then(({ CoursePatch }) => CoursePatch),
  ),
};

type SaveFormProps = {
  /** The kind of item to change, which selects the schema. */
  kind: keyof typeof checks;
  path: ApiPath<'PATCH'>;
  messages: FormMessages;
  saved: string;
  /** Shown instead if no address change is pending, because the current address was entered. */
  unchanged?: string;
  children: ReactNode;
};

/** Changes an existing account or course. */
export function SaveForm({ kind, path, messages, saved, unchanged, children }: SaveFormProps) {
  const refresh = useRefresh();
  return (
    <ApiForm
      path={path}
      method="PATCH"
      messages={messages}
      check={checks[kind]}
      failuresIn="dialog"
      onFailure={askToReauthenticate}
      onDone={async (changed) => {
        await refresh();
        showToast('pending_email' in changed ? saved : (unchanged ?? saved));
      }}
    >
      {children}
    </ApiForm>
  );
}
