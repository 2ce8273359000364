import { Trans, useLingui } from '@lingui/react/macro';
import { proofDialogId } from '#features/settings/ask-to-reauthenticate.ts';
import { Dialog } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { authMessages } from './form-messages.ts';
import { ProofForm } from './proof-form.tsx';

/** Asks a user to sign in again whose sign-in is too old for an action. */
export function ProofDialog({ email }: { email: string }) {
  const { i18n, t } = useLingui();
  const address = (
    <strong>
      <EmailAddress>{email}</EmailAddress>
    </strong>
  );
  return (
    <Dialog id={proofDialogId} title={t`Confirm it’s you`} close={t`Close`}>
      <ProofForm
        email={email}
        messages={authMessages(i18n)}
        sent={
          <p role="status">
            <Trans>We’ve emailed a login link and a code to {address}.</Trans>
          </p>
        }
        code={{
          label: t`Six-digit code`,
          hint: t`Or open the link in this browser. Both expire in 10 minutes.`,
          submit: t`Confirm it’s me`,
          pending: t`One moment…`,
          incomplete: t`Please enter all six digits.`,
          resending: t`Sending…`,
          resent: t`Sent again.`,
          resend: t`Didn’t get it? Check your spam folder or <0>resend the email</0>.`,
        }}
        done={t`Identity confirmed. Please try again.`}
      >
        <p>
          <Trans>
            For your security, you need to have logged in within the last 15 minutes. We can email a
            new link and a code to {address}.
          </Trans>
        </p>
        <div className="dialog-foot">
          <SubmitButton label={t`Send me a login link`} pendingLabel={t`Sending…`} />
        </div>
      </ProofForm>
    </Dialog>
  );
}
