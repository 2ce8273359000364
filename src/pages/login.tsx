import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'waku';
import { AuthPage } from '#features/auth/auth-page.tsx';
import { LoginForm } from '#features/auth/login-form.tsx';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function LoginPage() {
  const { texts } = await requireNobody();
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
          </>
        }
        footer={
          <p className="mt-8 text-center">
            <Trans>
              New here?{' '}
              <Link to={paths.signup} className="link whitespace-nowrap">
                Create an account
              </Link>
            </Trans>
          </p>
        }
      />
    </AuthPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
