'use client';

import { type ComponentProps, useEffect, useState } from 'react';
import { loadOrLeave } from '#client/check-by-schema.ts';
import { later } from '#client/later.tsx';
import type { CohortPreview } from './cohort-preview.tsx';

/** PurgeButton, in its dialog. */
export const LaterPurgeButton = later(() =>
  import('./purge-button.tsx').then(({ PurgeButton }) => PurgeButton),
);

/** TrashForm, in its dialog. */
export const LaterTrashForm = later(() =>
  import('./trash-form.tsx').then(({ TrashForm }) => TrashForm),
);

/** CohortPreview, which only repeats what is typed: its place is empty until it is there. */
export function LaterCohortPreview(props: ComponentProps<typeof CohortPreview>) {
  const [Preview, setPreview] = useState<typeof CohortPreview | null>(null);
  useEffect(() => {
    void loadOrLeave(() => import('./cohort-preview.tsx')).then((script) =>
      setPreview(() => script?.CohortPreview ?? null),
    );
  }, []);
  return Preview && <Preview {...props} />;
}
