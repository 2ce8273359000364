import { Trans, useLingui } from '@lingui/react/macro';
import { SignInLayout } from '#features/frames/sign-in-layout.tsx';
import { pageRequest } from '#page-request.ts';
import { paths } from '#paths.ts';

export default function NotFoundPage() {
  const request = pageRequest();
  const { t } = useLingui();
  return (
    <SignInLayout request={request}>
      <title>{t`Page not found · Lectern`}</title>
      <p className="mb-2 font-semibold text-accent">404</p>
      <h1>
        <Trans>Page not found</Trans>
      </h1>
      <p className="frame-lead">
        <Trans>The address may be mistyped, or the page has moved.</Trans>
      </p>
      <a className="button button-primary" href={paths.home}>
        <Trans>Go to home</Trans>
      </a>
    </SignInLayout>
  );
}
