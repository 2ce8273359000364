'use client';

import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useApiForm } from '#api/use-api-form.ts';
import { apiPaths } from '#paths.ts';
import { Alert } from '#ui/alert.tsx';
import { Field } from '#ui/field.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { CheckYourEmail } from './check-your-email.tsx';
import { Rounds } from './rounds.tsx';
import { LoginInput, type MailSent } from './schema.ts';

/** What stands around the form, from the server; it goes when the form is done. */
type FrameProps = { heading: ReactNode; footer: ReactNode };

/** Asks for a login link; shows where it went. */
export function LoginForm(frame: FrameProps) {
  return <Rounds>{(startAgain) => <LoginRound {...frame} onBack={startAgain} />}</Rounds>;
}

function LoginRound({ heading, footer, onBack }: FrameProps & { onBack: () => void }) {
  const { t } = useLingui();
  const form = useApiForm<MailSent>(LoginInput, apiPaths.login, {
    invalidProblem: 'login_email_invalid',
  });
  if (form.data !== null) {
    const { email } = form.data;
    return (
      <CheckYourEmail
        title={t`Check your email`}
        description={
          <Trans>
            We have sent a login link to <strong>{email}</strong>. It works once, within the next 10
            minutes.
          </Trans>
        }
        resend={{ path: apiPaths.login, input: { email } }}
        onBack={onBack}
      />
    );
  }
  return (
    <>
      {heading}
      <form {...form.props} noValidate>
        <Alert>
          {form.problem && (
            <>
              {form.problem}
              {form.code === 'email_not_verified' && (
                <p>
                  <Trans>We have just sent you a fresh verification email.</Trans>
                </p>
              )}
            </>
          )}
        </Alert>
        <fieldset disabled={form.isPending} className="grid gap-6">
          <Field
            label={t`Email address`}
            name="email"
            type="email"
            autoComplete="email"
            required
            {...form.field('email')}
          />
          <SubmitButton
            label={t`Send me a login link`}
            pendingLabel={t`Sending…`}
            isPending={form.isPending}
          />
        </fieldset>
      </form>
      {footer}
    </>
  );
}
