'use client';

import { later } from '#client/later.tsx';

/** Its script comes after the page's: it is in a closed dialog. */
export const NewCourseForm = later(() =>
  import('./new-course-form.tsx').then((script) => script.NewCourseForm),
);
