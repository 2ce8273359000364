import type { ReactNode } from 'react';

type BusyLabelsProps = {
  isBusy: boolean;
  busyLabel: string;
  /** The label at rest. */
  children: ReactNode;
};

/** The two labels of a button, as wide as the longer one: only one is visible and read. */
export function BusyLabels({ isBusy, busyLabel, children }: BusyLabelsProps) {
  return (
    <span className="labels">
      <span data-away={!isBusy || undefined}>
        <span className="spinner" aria-hidden="true" />
        {busyLabel}
      </span>
      <span data-away={isBusy || undefined}>{children}</span>
    </span>
  );
}
