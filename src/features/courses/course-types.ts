import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { CourseType } from '#db/values.ts';

/** The names of the course types, for users. */
export function courseTypeNames(i18n: I18n): Record<CourseType, string> {
  return { evergreen: i18n._(msg`Evergreen`), cohort: i18n._(msg`Cohort`) };
}

/**
 * `Cohort · 1 running, 4 coming`
 *
 * @param note how its cohorts stand; see cohorts/list-choices.ts
 */
export function aboutCourse(i18n: I18n, type: CourseType, note: string | undefined): string {
  const name = courseTypeNames(i18n)[type];
  return note === undefined ? name : `${name} · ${note}`;
}
