'use client';

import { later } from '#client/later.tsx';

/** InterestForm, which is on the page of a course alone: that of a cohort has the same scripts. */
export const LaterInterestForm = later(() =>
  import('./interest-form.tsx').then(({ InterestForm }) => InterestForm),
);
