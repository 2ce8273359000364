import type { ReactNode } from 'react';

type TickProps = {
  value: string;
  /** What it selects, for screen readers. */
  children: ReactNode;
};

/** A box that selects a row of a list. */
export function Tick({ value, children }: TickProps) {
  return (
    <label className="tick -ms-3 -me-2 grid min-h-11 min-w-11 place-items-center noscript:hidden">
      {/* A browser that keeps it when the page is reloaded could tick another row. */}
      <input type="checkbox" className="size-4.5 accent-accent" value={value} autoComplete="off" />
      <span className="sr-only">{children}</span>
    </label>
  );
}
