import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { DeletionButton } from '#features/settings/deletion-button.tsx';
import { sectionIds } from '#features/settings/section-ids.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import { DeleteAccountDialog, deleteAccountDialogId } from './delete-account-dialog.tsx';

/** The section and the dialog that delete the account. */
export function DeleteAccount(props: ComponentProps<typeof DeleteAccountDialog>) {
  const { t } = useLingui();
  return (
    <SettingsSection
      id={sectionIds.deleteAccount}
      title={t`Delete your account`}
      description={t`Permanently deletes your account and all your courses. This can’t be undone.`}
    >
      <DeletionButton dialogId={deleteAccountDialogId}>
        <Trans>Delete your account</Trans>
      </DeletionButton>
      <DeleteAccountDialog {...props} />
    </SettingsSection>
  );
}
