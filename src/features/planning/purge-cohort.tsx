import { Trans, useLingui } from '@lingui/react/macro';
import { PurgeButton } from '#features/cohorts/cohort-button.tsx';
import type { Cohort } from '#features/cohorts/schema.ts';
import { DeletionButton } from '#features/settings/deletion-button.tsx';
import { ProofDialog } from '#features/sign-in/proof-dialog.tsx';
import { CloseButton, Dialog } from '#ui/dialog.tsx';

const dialogId = 'purge-cohort';

/** Deletes a cohort in the trash for ever, after asking. */
export function PurgeCohort({ cohort, email }: { cohort: Cohort; email: string }) {
  const { t } = useLingui();
  const name = <bdi>{cohort.name}</bdi>;
  return (
    <>
      <DeletionButton dialogId={dialogId}>
        <Trans>Delete permanently</Trans>
      </DeletionButton>
      <Dialog id={dialogId} title={t`Delete this cohort permanently?`}>
        <p>
          <Trans>{name} and everything in it will be deleted. It can’t be undone.</Trans>
        </p>
        <div className="dialog-foot">
          <CloseButton dialogId={dialogId}>
            <Trans>Cancel</Trans>
          </CloseButton>
          <PurgeButton
            id={cohort.id}
            pendingLabel={t`Deleting…`}
            done={t`Cohort deleted.`}
            className="button button-delete"
          >
            <Trans>Delete permanently</Trans>
          </PurgeButton>
        </div>
      </Dialog>
      <ProofDialog email={email} />
    </>
  );
}
