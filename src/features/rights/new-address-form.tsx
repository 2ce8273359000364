'use client';

import { type ReactNode, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { rightsPaths } from './rights-paths.ts';

const checkNewAddress = checkBySchema(() =>
  import('./schema.ts').then(({ NewAddressInput }) => NewAddressInput),
);

type NewAddressFormProps = {
  token: string;
  messages: FormMessages;
  /** Replaces the form once it was sent; the same for every address. */
  sent: ReactNode;
  children: ReactNode;
};

/** Asks for the proof of another address of a person. */
export function NewAddressForm({ token, messages, sent, children }: NewAddressFormProps) {
  const [isSent, setIsSent] = useState(false);
  if (isSent) {
    return sent;
  }
  return (
    <ApiForm
      path={rightsPaths.own('new-address')}
      messages={messages}
      check={checkNewAddress}
      refusals={['rights_link_invalid']}
      toInput={({ email = '' }) => ({ token, email })}
      onDone={() => setIsSent(true)}
    >
      {children}
    </ApiForm>
  );
}
