import { Trans, useLingui } from '@lingui/react/macro';
import { CloseButton, Dialog } from '#ui/dialog.tsx';
import { LeaveButton } from './leave-button.tsx';

const dialogId = 'leave';

/** Asks before changes on the page that are not saved are lost. Once per page. */
export function LeaveDialog() {
  const { t } = useLingui();
  return (
    <Dialog id={dialogId} title={t`Leave without saving?`} close={t`Close`}>
      <p>
        <Trans>Your changes on this page haven’t been saved yet.</Trans>
      </p>
      <div className="dialog-foot">
        <CloseButton dialogId={dialogId}>
          <Trans>Stay</Trans>
        </CloseButton>
        <LeaveButton>
          <Trans>Leave without saving</Trans>
        </LeaveButton>
      </div>
    </Dialog>
  );
}
