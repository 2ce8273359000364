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
import { type MailSent, SignUpInput } from './schema.ts';

/** What stands around the form, from the server; it goes when the form is done. */
type FrameProps = { heading: ReactNode; footer: ReactNode };

/** Makes an account; shows where the verification mail went. */
export function SignUpForm(frame: FrameProps) {
  return <Rounds>{(startAgain) => <SignUpRound {...frame} onBack={startAgain} />}</Rounds>;
}

function SignUpRound({ heading, footer, onBack }: FrameProps & { onBack: () => void }) {
  const { t } = useLingui();
  const form = useApiForm<MailSent>(SignUpInput, apiPaths.signUp, {
    emptyProblem: 'all_fields_required',
  });
  if (form.data !== null) {
    const { email } = form.data;
    return (
      <CheckYourEmail
        title={t`Account created`}
        description={
          <Trans>
            We have sent a verification email to <strong>{email}</strong>. Open the link in it to
            confirm your address and get started.
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
        <Alert>{form.problem}</Alert>
        <fieldset disabled={form.isPending} className="grid gap-6">
          <div className="grid gap-6 sm:grid-cols-2 sm:gap-4">
            <Field
              label={t`First name`}
              name="first_name"
              autoComplete="given-name"
              required
              {...form.field('first_name')}
            />
            <Field
              label={t`Last name`}
              name="last_name"
              autoComplete="family-name"
              required
              {...form.field('last_name')}
            />
          </div>
          <Field
            label={t`Email address`}
            name="email"
            type="email"
            autoComplete="email"
            required
            {...form.field('email')}
          />
          <SubmitButton
            label={t`Create account`}
            pendingLabel={t`Creating your account…`}
            isPending={form.isPending}
          />
        </fieldset>
      </form>
      {footer}
    </>
  );
}
