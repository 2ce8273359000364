import type { ReactNode } from 'react';

type MoreMenuProps = {
  id: string;
  /** What its button is called. */
  label: string;
  className?: string;
  children: ReactNode;
};

/** A button with three dots, and the menu of what is rarely done. */
export function MoreMenu({ id, label, className, children }: MoreMenuProps) {
  return (
    <>
      <button
        type="button"
        className={className ?? 'button button-menu'}
        popoverTarget={id}
        aria-label={label}
      >
        <span className="icon icon-more" />
      </button>
      <div id={id} popover="auto" data-menu className="menu">
        {children}
      </div>
    </>
  );
}
