import { Trans, useLingui } from '@lingui/react/macro';
import { proofDialogId } from '#features/settings/ask-to-reauthenticate.ts';
import { formMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { ProofForm } from './proof-form.tsx';

/** Asks a user to sign in again whose sign-in is too old for an action. */
export function ProofDialog({ email }: { email: string }) {
  const { i18n, t } = useLingui();
  const address = <strong>{email}</strong>;
  return (
    <Dialog id={proofDialogId} title={t`Confirm it’s you`} close={t`Close`}>
      <ProofForm
        email={email}
        messages={formMessages(i18n)}
        sent={
          <p role="status" className="notice">
            <Trans>
              We’ve emailed a link to {address}. Open it in this browser within 10 minutes, then
              come back here.
            </Trans>
          </p>
        }
      >
        <p>
          <Trans>
            For your security, you need to have logged in within the last 15 minutes. We can email a
            new link to {address}.
          </Trans>
        </p>
        <div className="dialog-foot">
          <SubmitButton label={t`Send me a login link`} pendingLabel={t`Sending…`} />
        </div>
      </ProofForm>
    </Dialog>
  );
}
