'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';

const kinds = {
  login: {
    path: apiPaths.login,
    check: checkBySchema(() => import('./schema.ts').then((schemas) => schemas.LoginInput)),
    invalidProblem: 'login_email_invalid',
    emptyProblem: undefined,
    fieldsOf: { account_not_found: 'email' },
  },
  signUp: {
    path: apiPaths.signUp,
    check: checkBySchema(() => import('./schema.ts').then((schemas) => schemas.SignUpInput)),
    invalidProblem: undefined,
    emptyProblem: 'all_fields_required',
    fieldsOf: {},
  },
} as const;

type MailFormProps = {
  kind: keyof typeof kinds;
  messages: FormMessages;
  notes?: Record<string, ReactNode>;
  /** The content above and below the form, removed when it is done. */
  heading: ReactNode;
  footer: ReactNode;
  children: ReactNode;
  /** The content after the email was sent; see CheckYourEmail. */
  sent: ReactNode;
};

type Mailed = { email: string; startAgain: () => void };

const MailedContext = createContext<Mailed>({ email: '', startAgain: () => {} });

/** The form of login and sign-up, which ends with an email. */
export function MailForm({ kind, heading, footer, children, sent, ...form }: MailFormProps) {
  const [email, setEmail] = useState<string | null>(null);
  if (email !== null) {
    // The form is unmounted, so that a new attempt starts with an empty one.
    return (
      <MailedContext value={{ email, startAgain: () => setEmail(null) }}>{sent}</MailedContext>
    );
  }
  return (
    <>
      {heading}
      <ApiForm
        {...kinds[kind]}
        {...form}
        failuresIn="line"
        onDone={(mailed) => setEmail(mailed.email)}
      >
        {children}
      </ApiForm>
      {footer}
    </>
  );
}

export function useMailed(): Mailed {
  return useContext(MailedContext);
}

export function MailedTo() {
  return <strong>{useMailed().email}</strong>;
}
