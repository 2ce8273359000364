'use client';

import { later } from '#client/later.tsx';

/** EntryForm, in its dialog. */
export const LaterEntryForm = later(() =>
  import('./entry-form.tsx').then(({ EntryForm }) => EntryForm),
);

/** ReverseForm, in its dialog. */
export const LaterReverseForm = later(() =>
  import('./reverse-form.tsx').then(({ ReverseForm }) => ReverseForm),
);

/** CohortButton, in its dialog. */
export const LaterAccountButton = later(() =>
  import('./account-button.tsx').then(({ AccountButton }) => AccountButton),
);
