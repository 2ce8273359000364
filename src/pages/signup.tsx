import { Trans, useLingui } from '@lingui/react/macro';
import { AuthPage } from '#features/auth/auth-page.tsx';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Field, SubmitButton } from '#ui/form.tsx';

export default async function SignUpPage() {
  const request = await requireNobody();
  const { t } = useLingui();
  return (
    <AuthPage
      request={request}
      kind="signUp"
      title={t`Create an account · Lectern`}
      heading={
        <>
          <h1>
            <Trans>Create your account</Trans>
          </h1>
          <p className="mt-2 mb-8 text-muted">
            <Trans>It takes a minute, and there’s no password to create.</Trans>
          </p>
        </>
      }
      otherPage={
        <Trans>
          Already have an account?{' '}
          <a href={paths.login} className="link whitespace-nowrap">
            Log in
          </a>
        </Trans>
      }
      sentTitle={t`Account created`}
    >
      <div className="grid gap-6 sm:grid-cols-2 sm:gap-4">
        <Field label={t`First name`} name="first_name" autoComplete="given-name" required />
        <Field label={t`Last name`} name="last_name" autoComplete="family-name" required />
      </div>
      <Field label={t`Email address`} name="email" type="email" autoComplete="email" required />
      <SubmitButton label={t`Create account`} pendingLabel={t`Creating your account…`} />
    </AuthPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
