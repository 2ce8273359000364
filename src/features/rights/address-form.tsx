'use client';

import { type ReactNode, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { FormMessages } from '#i18n/validation.ts';

const check = checkBySchema(() =>
  import('./schema.ts').then(({ NewAddressInput }) => NewAddressInput),
);

type AddressFormProps = {
  /** Proves another address of a person, or has their present link sent to the one they have. */
  path: '/api/participation/new-address/' | '/api/participation/new-link/';
  /** The token or the link by which they ask. */
  by: { token: string } | { link: string };
  messages: FormMessages;
  /** Replaces the form once it was sent; the same for every address. */
  sent: ReactNode;
  children: ReactNode;
};

/** Has an email sent to an address. */
export function AddressForm({ path, by, messages, sent, children }: AddressFormProps) {
  const [isSent, setIsSent] = useState(false);
  if (isSent) {
    return sent;
  }
  return (
    <ApiForm
      path={path}
      messages={messages}
      check={({ email }) => check({ email })}
      refusals={['rights_link_invalid']}
      toInput={({ email = '' }) => ({ ...by, email })}
      onDone={() => setIsSent(true)}
    >
      {children}
    </ApiForm>
  );
}
