import { Trans, useLingui } from '@lingui/react/macro';
import type { Viewer } from '#features/auth/find-actor.ts';
import { ProofDialog } from '#features/auth/proof-dialog.tsx';
import { DeleteDialog } from '#features/settings/delete-dialog.tsx';
import { longDate } from '#lib/long-date.ts';
import { apiPaths } from '#paths.ts';
import { Avatar } from './avatar.tsx';

export const deleteAccountDialogId = 'delete-account';

/** Confirms the deletion of the account, and reauthenticates if that is needed. */
export function DeleteAccountDialog({ viewer }: { viewer: Viewer }) {
  const { i18n, t } = useLingui();
  const { createdAt } = viewer;
  const created = (
    <time dateTime={createdAt.toISOString()}>{longDate(createdAt, i18n.locale)}</time>
  );
  return (
    <>
      <DeleteDialog
        id={deleteAccountDialogId}
        title={t`Delete your account?`}
        path={apiPaths.account(viewer.id)}
        sign={<Avatar viewer={viewer} />}
        name={`${viewer.firstName} ${viewer.lastName}`}
        about={<Trans>Account created {created}</Trans>}
        expected={viewer.email}
        deleted={null}
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
