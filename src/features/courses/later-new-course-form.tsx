'use client';

import { later } from '#client/later.tsx';

/** Loaded after the page, because its dialog is closed at first. */
export const NewCourseForm = later(() =>
  import('./new-course-form.tsx').then((script) => script.NewCourseForm),
);
