'use client';

import { later } from '#client/later.tsx';

/** Loaded after the page, because its dialog is closed at first. */
export const DeleteForm = later(() =>
  import('./delete-form.tsx').then((script) => script.DeleteForm),
);
