import { Trans } from '@lingui/react/macro';
import type { CourseType } from '#db/values.ts';

/** A course type as people read it. */
export function CourseTypeName({ type }: { type: CourseType }) {
  return type === 'evergreen' ? <Trans>Evergreen</Trans> : <Trans>Cohort</Trans>;
}
