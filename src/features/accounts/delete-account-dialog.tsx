import { Trans, useLingui } from '@lingui/react/macro';
import type { Viewer } from '#features/auth/find-actor.ts';
import { ProofDialog } from '#features/auth/proof-dialog.tsx';
import { DeleteDialog } from '#features/settings/delete-dialog.tsx';
import { apiPaths } from '#paths.ts';

export const deleteAccountDialogId = 'delete-account';

/** Confirms the deletion of the account, and reauthenticates if that is needed. */
export function DeleteAccountDialog({ viewer }: { viewer: Pick<Viewer, 'id' | 'email'> }) {
  const { t } = useLingui();
  return (
    <>
      <DeleteDialog
        id={deleteAccountDialogId}
        title={t`Delete your account?`}
        path={apiPaths.account(viewer.id)}
        expected={viewer.email}
        deleted={null}
        question={t`Type your email address to confirm`}
        type="email"
        confirm={t`Delete my account`}
      >
        <Trans>
          This permanently deletes your account, your courses and everything in them. It can’t be
          undone, so you may want to download your data first.
        </Trans>
      </DeleteDialog>
      <ProofDialog email={viewer.email} />
    </>
  );
}
