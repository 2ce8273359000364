import { Trans, useLingui } from '@lingui/react/macro';
import type { Cohort } from '#features/cohorts/schema.ts';
import { ProofDialog } from '#features/sign-in/proof-dialog.tsx';
import { CloseButton, Dialog } from '#ui/dialog.tsx';
import { PurgeButton } from './purge-button.tsx';

const dialogId = 'purge-cohort';

type PurgeCohortProps = { cohort: Cohort; email: string };

/** Deletes a cohort in the trash for ever, after asking. */
export function PurgeCohort({ cohort, email }: PurgeCohortProps) {
  const { t } = useLingui();
  const name = <bdi>{cohort.name}</bdi>;
  return (
    <>
      <button
        type="button"
        className="button button-danger"
        command="show-modal"
        commandfor={dialogId}
      >
        <span className="icon icon-trash" />
        <Trans>Delete permanently</Trans>
      </button>
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
