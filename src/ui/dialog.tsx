import type { ReactNode } from 'react';

type DialogProps = {
  /** Named by the buttons that open it: `command="show-modal" commandfor={id}`. */
  id: string;
  title: string;
  /** The label of the button that closes it. */
  close: string;
  children: ReactNode;
};

/** A modal dialog. The browser opens and closes it, holds the focus in it and gives it back. */
export function Dialog({ id, title, close, children }: DialogProps) {
  return (
    <dialog id={id} className="dialog" aria-labelledby={`${id}-title`} closedby="any">
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      {/* Last, so that the focus begins in the content. It stands at the top. */}
      <button
        type="button"
        className="icon-button dialog-close"
        aria-label={close}
        data-tip={close}
        command="close"
        commandfor={id}
      >
        <span className="icon icon-close" />
      </button>
    </dialog>
  );
}
