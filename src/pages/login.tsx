import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'waku';
import type { PageProps } from 'waku/router';
import { AuthPage } from '#features/auth/auth-page.tsx';
import { LoginError } from '#features/auth/login-error.tsx';
import { LoginForm } from '#features/auth/login-form.tsx';
import { OtherWays } from '#features/auth/other-ways.tsx';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function LoginPage({ query }: PageProps<'/login'>) {
  const { ctx, texts } = await requireNobody();
  const { t } = useLingui();
  return (
    <AuthPage texts={texts('common', 'auth', 'validation')}>
      <title>{t`Log in · Lectern`}</title>
      <LoginForm
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
          <OtherWays googleOrigin={new URL(ctx.google.authorizationUrl).origin}>
            <Trans>
              New here?{' '}
              <Link to={paths.signup} className="link whitespace-nowrap">
                Create an account
              </Link>
            </Trans>
          </OtherWays>
        }
      />
    </AuthPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
