'use client';

import { later } from '#client/later.tsx';

/** ProofForm, for dialogs. */
export const LaterProofForm = later(() =>
  import('./proof-form.tsx').then(({ ProofForm }) => ProofForm),
);
