'use client';

import type { ReactNode } from 'react';
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
  });
  return <div ref={ref}>{children}</div>;
}
