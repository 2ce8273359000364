'use client';

import type { ReactNode } from 'react';
import type { Values } from '#client/api-form.tsx';
import { markChanges } from '#client/unsaved.ts';
import { useTyped } from '#ui/use-typed.ts';

/** Tracks what would be lost of a form, also while the preview is shown. */
export function PlanFoot({ proposed, children }: { proposed: Values; children: ReactNode }) {
  const ref = useTyped((read) => {
    const differs = Object.entries(proposed).some(([name, value]) => read(name) !== value);
    markChanges(ref.current, differs ? 'cohort' : null);
  });
  return <div ref={ref}>{children}</div>;
}
