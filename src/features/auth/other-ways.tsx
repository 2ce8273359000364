import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { paths } from '#paths.ts';
import { GoogleButton } from './google-button.tsx';
import { GoogleMark } from './google-mark.tsx';
import { googleFailed } from './login-error.tsx';

type OtherWaysProps = {
  /** See GoogleButton. */
  googleOrigin: string;
  /** The link to the other page: sign-up or login. */
  children: ReactNode;
};

/** The content below the forms of /login and /signup. */
export function OtherWays({ googleOrigin, children }: OtherWaysProps) {
  const { i18n, t } = useLingui();
  return (
    <>
      <p className="divider my-6 text-sm text-muted">
        <Trans>or</Trans>
      </p>
      <GoogleButton
        googleOrigin={googleOrigin}
        texts={{ pending: t`Taking you to Google…`, failed: i18n._(googleFailed) }}
      >
        <GoogleMark />
        <Trans>Continue with Google</Trans>
      </GoogleButton>
      <p className="mt-8 text-center">{children}</p>
      <p className="mt-6 text-center text-sm text-muted">
        <Trans>
          By going on you agree to the{' '}
          <a href={paths.terms} className="link">
            terms of use
          </a>
          . The{' '}
          <a href={paths.privacy} className="link">
            privacy page
          </a>{' '}
          says what is stored.
        </Trans>
      </p>
    </>
  );
}
