import { Trans, useLingui } from '@lingui/react/macro';
import { AuthPage } from '#features/auth/auth-page.tsx';
import { CheckYourEmail } from '#features/auth/check-your-email.tsx';
import { MailedTo, MailForm } from '#features/auth/mail-form.tsx';
import { mailTexts } from '#features/auth/mail-texts.ts';
import { OtherWays } from '#features/auth/other-ways.tsx';
import { formMessages } from '#i18n/validation.ts';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Field, SubmitButton } from '#ui/form.tsx';

export default async function SignUpPage() {
  const { ctx, i18n } = await requireNobody();
  const { t } = useLingui();
  const messages = formMessages(i18n);
  return (
    <AuthPage>
      <title>{t`Create an account · Lectern`}</title>
      <MailForm
        // Not the form of /login, whose place it takes.
        key="signUp"
        kind="signUp"
        messages={messages}
        heading={
          <>
            <h1>
              <Trans>Create your account</Trans>
            </h1>
            <p className="mt-2 mb-8 text-muted">
              <Trans>It takes a minute, and there is no password to think up.</Trans>
            </p>
          </>
        }
        footer={
          <OtherWays googleOrigin={new URL(ctx.config.google.authorizationUrl).origin}>
            <Trans>
              Already have an account?{' '}
              <a href={paths.login} className="link whitespace-nowrap">
                Log in
              </a>
            </Trans>
          </OtherWays>
        }
        sent={
          <CheckYourEmail title={t`Account created`} texts={mailTexts(i18n)} messages={messages}>
            <p className="mt-4">
              <Trans>
                We have sent a verification email to <MailedTo />. Open the link in it to confirm
                your address and get started.
              </Trans>
            </p>
            <p className="mt-4 mb-6 text-muted">
              <Trans>No email? Check your spam folder, or send it again.</Trans>
            </p>
          </CheckYourEmail>
        }
      >
        <div className="grid gap-6 sm:grid-cols-2 sm:gap-4">
          <Field label={t`First name`} name="first_name" autoComplete="given-name" required />
          <Field label={t`Last name`} name="last_name" autoComplete="family-name" required />
        </div>
        <Field label={t`Email address`} name="email" type="email" autoComplete="email" required />
        <SubmitButton label={t`Create account`} pendingLabel={t`Creating your account…`} />
      </MailForm>
    </AuthPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
