import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { GoogleButton } from './google-button.tsx';

type OtherWaysProps = {
  /** See GoogleButton. */
  googleOrigin: string;
  /** The way to the other page of the door. */
  children: ReactNode;
};

/** What stands under the forms of /login and /signup. */
export function OtherWays({ googleOrigin, children }: OtherWaysProps) {
  return (
    <>
      <p className="divider my-6 text-sm text-muted">
        <Trans>or</Trans>
      </p>
      <GoogleButton googleOrigin={googleOrigin} />
      <p className="mt-8 text-center">{children}</p>
    </>
  );
}
