import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'waku';
import { AuthPage } from '#features/auth/auth-page.tsx';
import { OtherWays } from '#features/auth/other-ways.tsx';
import { SignUpForm } from '#features/auth/sign-up-form.tsx';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function SignUpPage() {
  const { ctx, texts } = await requireNobody();
  const { t } = useLingui();
  return (
    <AuthPage texts={texts('common', 'auth', 'validation')}>
      <title>{t`Create an account · Lectern`}</title>
      <SignUpForm
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
          <OtherWays googleOrigin={new URL(ctx.google.authorizationUrl).origin}>
            <Trans>
              Already have an account?{' '}
              <Link to={paths.login} className="link whitespace-nowrap">
                Log in
              </Link>
            </Trans>
          </OtherWays>
        }
      />
    </AuthPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
