'use client';

import { later } from '#client/later.tsx';

/** EnrollBox, where nothing can be sent: in a preview. */
export const LaterEnrollBox = later(() =>
  import('./enroll-box.tsx').then(({ EnrollBox }) => EnrollBox),
);
