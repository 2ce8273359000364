import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { Avatar } from '#features/identity/avatar.tsx';
import type { Viewer } from '#features/identity/find-actor.ts';
import type { CohortCount } from '#features/planning/own-cohorts.ts';
import { DeleteDialog, DeletionButton } from '#features/settings/delete-dialog.tsx';
import { sectionIds } from '#features/settings/section-ids.ts';
import { ProofDialog } from '#features/sign-in/proof-dialog.tsx';
import { longDate } from '#lib/time/words.ts';
import { apiPaths } from '#paths.ts';
import { SettingsSection } from '#ui/settings-section.tsx';

export function DeleteAccount(props: ComponentProps<typeof DeleteAccountDialog>) {
  const { t } = useLingui();
  return (
    <SettingsSection
      id={sectionIds.deleteAccount}
      title={t`Delete your account`}
      description={t`Permanently deletes your account and all your courses. This can’t be undone.`}
    >
      <DeletionButton dialogId={deleteAccountDialogId}>{t`Delete your account`}</DeletionButton>
      <DeleteAccountDialog {...props} />
    </SettingsSection>
  );
}

export const deleteAccountDialogId = 'delete-account';

type DeleteAccountProps = {
  viewer: Viewer;
  /** The cohorts that run or come, which go with it. */
  notOver: CohortCount;
};

/** Confirms the deletion of the account, and reauthenticates if that is needed. */
export function DeleteAccountDialog({ viewer, notOver }: DeleteAccountProps) {
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
        </Trans>{' '}
        {notOver.cohorts > 0 && (
          <Plural
            value={notOver.cohorts}
            one="# cohort hasn’t ended yet."
            other="# cohorts haven’t ended yet."
          />
        )}{' '}
        {notOver.people > 0 && (
          <Plural
            value={notOver.people}
            one="# person who takes part will be notified by email."
            other="# people who take part will be notified by email."
          />
        )}
      </DeleteDialog>
      <ProofDialog email={viewer.email} />
    </>
  );
}
