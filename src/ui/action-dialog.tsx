import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { CloseButton, Dialog, OpenButton } from './dialog.tsx';

type ActionDialogProps = {
  id: string;
  /** What the button that opens it says. */
  opener: ReactNode;
  className?: string;
  title: string;
  /** The button that does it. */
  action: ReactNode;
  /** What the button that does nothing says. */
  cancel?: ReactNode;
  children: ReactNode;
};

/** A button, and the dialog in which it says what it does before it is done. */
export function ActionDialog(props: ActionDialogProps) {
  const { id, opener, className = 'button noscript:hidden', title, action, children } = props;
  return (
    <>
      <OpenButton dialogId={id} className={className}>
        {opener}
      </OpenButton>
      <Dialog id={id} title={title}>
        {children}
        <div className="dialog-foot">
          <CloseButton dialogId={id}>{props.cancel ?? <Trans>Cancel</Trans>}</CloseButton>
          {action}
        </div>
      </Dialog>
    </>
  );
}
