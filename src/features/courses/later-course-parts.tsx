'use client';

import { later } from '#client/later.tsx';

/** CourseSearch, in the menu that a click opens. */
export const LaterCourseSearch = later(() =>
  import('./course-search.tsx').then(({ CourseSearch }) => CourseSearch),
);

/** SwitchCourseItem, in another. */
export const LaterSwitchCourseItem = later(() =>
  import('./course-keys.tsx').then(({ SwitchCourseItem }) => SwitchCourseItem),
);
