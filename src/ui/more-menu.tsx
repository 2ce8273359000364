import type { ReactNode } from 'react';

type MoreMenuProps = {
  id: string;
  /** What screen readers call the button. */
  label: string;
  className?: string;
  children: ReactNode;
};

/** A button with three dots, and the menu that it opens. */
export function MoreMenu({ id, label, className = 'button button-menu', children }: MoreMenuProps) {
  return (
    <>
      <button type="button" className={className} popoverTarget={id} aria-label={label}>
        <span className="icon icon-more" />
      </button>
      <div id={id} popover="auto" data-menu className="menu">
        {children}
      </div>
    </>
  );
}
