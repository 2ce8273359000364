import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { CourseType } from '#db/values.ts';

/** The course types as people read them. */
export function courseTypeNames(i18n: I18n): Record<CourseType, string> {
  return { evergreen: i18n._(msg`Evergreen`), cohort: i18n._(msg`Cohort`) };
}
