'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import type { FormMessages } from '#i18n/validation.ts';
import type { apiPaths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';

const check = checkBySchema(() =>
  import('#features/identity/account-schema.ts').then(({ AccountPatch }) => AccountPatch),
);

type AddressFormProps = {
  path: ReturnType<typeof apiPaths.account>;
  messages: FormMessages;
  sent: string;
  /** Shown instead if the current address was entered. */
  unchanged: string;
  children: ReactNode;
};

/** Requests a change of the account's email address. */
export function AddressForm({ path, messages, sent, unchanged, children }: AddressFormProps) {
  const refresh = useRefresh();
  return (
    <ApiForm
      path={path}
      method="PATCH"
      messages={messages}
      check={check}
      onFailure={askToReauthenticate}
      onDone={async (account) => {
        await refresh();
        showToast(account.pending_email === undefined ? unchanged : sent);
      }}
    >
      {children}
    </ApiForm>
  );
}
