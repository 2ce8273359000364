'use client';

import { later } from '#client/later.tsx';

/** NewCourseForm, for dialogs. */
export const LaterNewCourseForm = later(() =>
  import('./new-course-form.tsx').then(({ NewCourseForm }) => NewCourseForm),
);
