'use client';

import type { ReactNode } from 'react';

type CohortSelectProps = { chosen: string; label: string; children: ReactNode };

/** Chooses the cohort whose account is shown, as soon as it is chosen. */
export function CohortSelect({ chosen, label, children }: CohortSelectProps) {
  return (
    <select
      // A select that the browser restores would show another than the page.
      key={chosen}
      name="cohort"
      className="input"
      aria-label={label}
      autoComplete="off"
      defaultValue={chosen}
      onChange={({ target }) => target.form?.requestSubmit()}
    >
      {children}
    </select>
  );
}
