'use client';

import { later } from '#client/later.tsx';

/** Conveniences, without which menus, the sheet and controls work too. */
export const LaterConveniences = later(() =>
  import('./conveniences.tsx').then(({ Conveniences }) => Conveniences),
);
