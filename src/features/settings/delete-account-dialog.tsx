import { Trans, useLingui } from '@lingui/react/macro';
import type { Viewer } from '#features/auth/find-viewer.ts';
import { formMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Field, SubmitButton } from '#ui/form.tsx';
import { DeleteForm } from './delete-form.tsx';
import { ProofDialog } from './proof-dialog.tsx';

export const deleteAccountDialogId = 'delete-account';

/** The last question before an account is gone, with the proof that it may ask for. */
export function DeleteAccountDialog({ viewer }: { viewer: Pick<Viewer, 'id' | 'email'> }) {
  const { i18n, t } = useLingui();
  return (
    <>
      <Dialog id={deleteAccountDialogId} title={t`Delete your account?`} close={t`Close`}>
        <p>
          <Trans>
            Your account, your courses and all that is in them are deleted at once, and nobody can
            bring them back. You may want to download your data first.
          </Trans>
        </p>
        <DeleteForm
          path={apiPaths.account(viewer.id)}
          expected={viewer.email}
          messages={formMessages(i18n)}
          deleted={null}
          dialogId={deleteAccountDialogId}
        >
          <Field
            id="delete-account-typed"
            label={t`To be sure, type your email address`}
            hint={viewer.email}
            name="typed"
            type="email"
            autoComplete="off"
            spellCheck={false}
            required
          />
          <div className="actions">
            <SubmitButton
              label={t`Delete my account`}
              pendingLabel={t`Deleting…`}
              className="button button-danger"
            />
          </div>
        </DeleteForm>
      </Dialog>
      <ProofDialog email={viewer.email} />
    </>
  );
}
