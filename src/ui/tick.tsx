import type { ReactNode } from 'react';

type TickProps = {
  value: string;
  /** What it selects, for screen readers. */
  children: ReactNode;
};

/** A box that selects a row of a list. */
export function Tick({ value, children }: TickProps) {
  return (
    <label className="tick noscript:hidden">
      {/* A browser that keeps it when the page is reloaded could tick another row. */}
      <input type="checkbox" value={value} autoComplete="off" />
      <span className="sr-only">{children}</span>
    </label>
  );
}
