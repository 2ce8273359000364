import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { AuthPage } from '#features/sign-in/auth-page.tsx';
import { LoginError } from '#features/sign-in/login-error.tsx';
import { OtherPageLink } from '#features/sign-in/other-page-link.tsx';
import { sessionExpired } from '#i18n/errors.ts';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Field, FormProblem, SubmitButton } from '#ui/form.tsx';

export default async function LoginPage({ query }: PageProps<'/login'>) {
  const request = await requireNobody(query);
  const { i18n, t } = useLingui();
  const parameters = new URLSearchParams(query);
  return (
    <AuthPage
      request={request}
      kind="login"
      title={t`Log in · Lectern`}
      notes={{
        account_not_found: (
          <OtherPageLink href={paths.signup}>
            <Trans>Create an account</Trans>
          </OtherPageLink>
        ),
        email_not_verified: (
          <p>
            <Trans>We’ve just sent you a new verification email.</Trans>
          </p>
        ),
      }}
      heading={
        <>
          <h1>
            <Trans>Welcome back</Trans>
          </h1>
          <p className="frame-lead">
            <Trans>Enter your email address and we’ll send you a login link.</Trans>
          </p>
          {parameters.get('reason') === 'expired' && (
            <p className="notice mb-6">{i18n._(sessionExpired)}</p>
          )}
          <LoginError code={parameters.get('error')} />
        </>
      }
      otherPage={
        <Trans>
          New here? <OtherPageLink href={paths.signup}>Create an account</OtherPageLink>
        </Trans>
      }
      sentTitle={t`Check your email`}
    >
      <Field
        label={t`Email address`}
        name="email"
        type="email"
        autoComplete="email"
        required
        takesFocus
      />
      <FormProblem />
      <SubmitButton label={t`Send me a login link`} pendingLabel={t`Sending…`} />
    </AuthPage>
  );
}
