import { Trans, useLingui } from '@lingui/react/macro';
import { AuthPage } from '#features/sign-in/auth-page.tsx';
import { OtherPageLink } from '#features/sign-in/other-page-link.tsx';
import { requireNobody } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Field, FormProblem, SubmitButton } from '#ui/form.tsx';

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
          <p className="frame-lead">
            <Trans>It takes a minute, and there’s no password to create.</Trans>
          </p>
        </>
      }
      otherPage={
        <Trans>
          Already have an account? <OtherPageLink href={paths.login}>Log in</OtherPageLink>
        </Trans>
      }
      sentTitle={t`Account created`}
    >
      <div className="frame-names">
        <Field
          label={t`First name`}
          name="first_name"
          autoComplete="given-name"
          required
          takesFocus
        />
        <Field label={t`Last name`} name="last_name" autoComplete="family-name" required />
      </div>
      <Field label={t`Email address`} name="email" type="email" autoComplete="email" required />
      <FormProblem />
      <SubmitButton label={t`Create account`} pendingLabel={t`Creating your account…`} />
    </AuthPage>
  );
}
