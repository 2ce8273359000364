'use client';

import { type ReactNode, useEffect } from 'react';
import { guardChanges, guardUnload } from '#client/leave-guard.ts';
import { markChanges } from '#client/unsaved.ts';
import { useTyped } from '#ui/use-typed.ts';

type PlanFootProps = {
  /** What the fields contain before anyone types, by their names. */
  proposed: Record<string, string>;
  children: ReactNode;
};

/** Tracks what would be lost, also while the preview is shown. */
export function PlanFoot({ proposed, children }: PlanFootProps) {
  const ref = useTyped((read) => {
    const differs = Object.entries(proposed).some(([name, value]) => read(name) !== value);
    markChanges(ref.current, differs ? 'cohort' : null);
    if (differs) {
      guardUnload();
    }
  });
  // Before the first change, because people may leave right after it.
  useEffect(() => void guardChanges(), []);
  return <div ref={ref}>{children}</div>;
}
