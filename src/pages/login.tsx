import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { AuthPage } from '#features/auth/auth-page.tsx';
import { LoginError } from '#features/auth/login-error.tsx';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Field, SubmitButton } from '#ui/form.tsx';

export default async function LoginPage({ query }: PageProps<'/login'>) {
  const request = await requireNobody();
  const { t } = useLingui();
  return (
    <AuthPage
      request={request}
      kind="login"
      title={t`Log in · Lectern`}
      notes={{
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
          <p className="mt-2 mb-8 text-muted">
            <Trans>Enter your email address and we’ll send you a login link.</Trans>
          </p>
          <LoginError code={new URLSearchParams(query).get('error')} />
        </>
      }
      otherPage={
        <Trans>
          New here?{' '}
          <a href={paths.signup} className="link whitespace-nowrap">
            Create an account
          </a>
        </Trans>
      }
      sentTitle={t`Check your email`}
    >
      <Field label={t`Email address`} name="email" type="email" autoComplete="email" required />
      <SubmitButton label={t`Send me a login link`} pendingLabel={t`Sending…`} />
    </AuthPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
