import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { AuthPage } from '#features/auth/auth-page.tsx';
import { CheckYourEmail } from '#features/auth/check-your-email.tsx';
import { LoginError } from '#features/auth/login-error.tsx';
import { MailedTo, MailForm } from '#features/auth/mail-form.tsx';
import { mailTexts } from '#features/auth/mail-texts.ts';
import { OtherWays } from '#features/auth/other-ways.tsx';
import { formMessages } from '#i18n/validation.ts';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Field, SubmitButton } from '#ui/form.tsx';

export default async function LoginPage({ query }: PageProps<'/login'>) {
  const { ctx, i18n } = await requireNobody();
  const { t } = useLingui();
  const messages = formMessages(i18n);
  return (
    <AuthPage>
      <title>{t`Log in · Lectern`}</title>
      <MailForm
        // Not the form of /signup, whose place it takes.
        key="login"
        kind="login"
        messages={messages}
        notes={{
          email_not_verified: (
            <p>
              <Trans>We have just sent you a fresh verification email.</Trans>
            </p>
          ),
        }}
        heading={
          <>
            <h1>
              <Trans>Welcome back</Trans>
            </h1>
            <p className="mt-2 mb-8 text-muted">
              <Trans>Enter your email address and we’ll send you a login link.</Trans>
            </p>
            <LoginError code={new URLSearchParams(query).get('error')} />
          </>
        }
        footer={
          <OtherWays googleOrigin={new URL(ctx.config.google.authorizationUrl).origin}>
            <Trans>
              New here?{' '}
              <a href={paths.signup} className="link whitespace-nowrap">
                Create an account
              </a>
            </Trans>
          </OtherWays>
        }
        sent={
          <CheckYourEmail title={t`Check your email`} texts={mailTexts(i18n)} messages={messages}>
            <p className="mt-4">
              <Trans>
                We have sent a login link to <MailedTo />. It works once, within the next 10
                minutes.
              </Trans>
            </p>
            <p className="mt-4 mb-6 text-muted">
              <Trans>No email? Check your spam folder, or send it again.</Trans>
            </p>
          </CheckYourEmail>
        }
      >
        <Field label={t`Email address`} name="email" type="email" autoComplete="email" required />
        <SubmitButton label={t`Send me a login link`} pendingLabel={t`Sending…`} />
      </MailForm>
    </AuthPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
