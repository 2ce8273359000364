import { Trans } from '@lingui/react/macro';
import { serverPaths } from '#paths.ts';
import type { PaymentAccount } from './schema.ts';

/** Says that no one can pay online where they are to, and leads to what to do; nothing otherwise. */
export function AccountNote({ account }: { account: PaymentAccount }) {
  const { status } = account;
  return status === 'ready' || status === 'off' ? null : (
    <div className="alert notice-with-action">
      <p>
        {status === 'paused' ? (
          <>
            <strong>
              <Trans>Stripe has paused payments.</Trans>
            </strong>{' '}
            <Trans>Until you resolve this in Stripe, no one can pay online.</Trans>
          </>
        ) : (
          <Trans>No working Stripe account is connected, so no one can pay online.</Trans>
        )}
      </p>
      <a className="button" href={serverPaths.gettingPaid}>
        <Trans>Getting paid</Trans>
      </a>
    </div>
  );
}
