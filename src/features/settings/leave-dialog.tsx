import { Trans, useLingui } from '@lingui/react/macro';
import { leaveDialogId } from '#client/unsaved.ts';
import { CloseButton, Dialog } from '#ui/dialog.tsx';

/** Asks before changes on the page are lost; see client/unsaved.ts. Once per page. */
export function LeaveDialog() {
  const { t } = useLingui();
  return (
    <Dialog id={leaveDialogId} title={t`Leave without saving?`}>
      <p>{t`Your changes on this page haven’t been saved yet.`}</p>
      <form method="dialog" className="dialog-foot">
        <CloseButton dialogId={leaveDialogId}>{t`Stay`}</CloseButton>
        <button type="submit" value="leave" className="button button-primary">
          <Trans>Leave without saving</Trans>
        </button>
      </form>
    </Dialog>
  );
}
