'use client';

import { later } from '#client/later.tsx';

/** OwnClockChange, which few readers have. */
export const LaterOwnClockChange = later(() =>
  import('./own-clock-change.tsx').then(({ OwnClockChange }) => OwnClockChange),
);
