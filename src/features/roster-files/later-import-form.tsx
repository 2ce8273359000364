'use client';

import { later } from '#client/later.tsx';

/** ImportForm, on its page. */
export const LaterImportForm = later(() =>
  import('./import-form.tsx').then(({ ImportForm }) => ImportForm),
);
