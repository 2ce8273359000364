'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { useFinish } from '#client/use-finish.ts';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import type { FormMessages } from '#i18n/validation.ts';
import type { apiPaths } from '#paths.ts';

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
  const finish = useFinish();
  return (
    <ApiForm
      path={path}
      method="PATCH"
      messages={messages}
      check={check}
      onFailure={askToReauthenticate}
      onDone={(account) => finish(account.pending_email === undefined ? unchanged : sent)}
    >
      {children}
    </ApiForm>
  );
}
