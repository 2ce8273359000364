import { Trans, useLingui } from '@lingui/react/macro';
import { leaveDialogId } from '#client/leave-guard.ts';
import { paths } from '#paths.ts';
import { CloseButton, Dialog } from '#ui/dialog.tsx';

/** Asks before changes on the page are lost; see client/leave-guard.ts. Once per page. */
export function LeaveDialog() {
  const { t } = useLingui();
  const leave = <Trans>Leave without saving</Trans>;
  return (
    <Dialog id={leaveDialogId} title={t`Leave without saving?`}>
      <p>
        <Trans>Your changes on this page haven’t been saved yet.</Trans>
      </p>
      <div className="dialog-foot">
        <CloseButton dialogId={leaveDialogId}>
          <Trans>Stay</Trans>
        </CloseButton>
        <button type="button" className="button button-primary" data-leave>
          {leave}
        </button>
        <a href={paths.home} className="button button-primary" data-leave hidden>
          {leave}
        </a>
      </div>
    </Dialog>
  );
}
