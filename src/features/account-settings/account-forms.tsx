'use client';

import type { ComponentProps, ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { useFinish } from '#client/use-finish.ts';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import { SaveForm } from '#features/settings/save-form.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import type { apiPaths } from '#paths.ts';
import { saveExport } from '#ui/save-export.ts';

const checkProfile = checkBySchema(() =>
  import('#features/identity/account-schema.ts').then(({ ProfileInput }) => ProfileInput),
);

/** Changes the viewer's names and what they say of themselves. */
export function ProfileForm(form: Omit<ComponentProps<typeof SaveForm>, 'kind' | 'check'>) {
  // What was typed counts as saved: the API answers null for an empty bio.
  return <SaveForm kind="account" check={checkProfile} toInput={(values) => values} {...form} />;
}

const checkAddress = checkBySchema(() =>
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
      check={checkAddress}
      onFailure={askToReauthenticate}
      onDone={(account) => finish(account.pending_email === undefined ? unchanged : sent)}
    >
      {children}
    </ApiForm>
  );
}

type ExportButtonProps = {
  path: ReturnType<typeof apiPaths.accountExport>;
  pendingLabel: string;
  done: string;
  children: ReactNode;
};

/** Downloads everything that is stored about the user as a file. */
export function ExportButton({ done, ...button }: ExportButtonProps) {
  return (
    <ActionButton
      {...button}
      call={{ method: 'GET' }}
      onFailure={askToReauthenticate}
      onDone={(everything) => saveExport(everything, 'lectern', done)}
    />
  );
}
