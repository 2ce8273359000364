'use client';

import { later } from '#client/later.tsx';

/** DeleteForm, for dialogs. */
export const LaterDeleteForm = later(() =>
  import('./delete-form.tsx').then(({ DeleteForm }) => DeleteForm),
);
