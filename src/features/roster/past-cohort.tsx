import { Trans } from '@lingui/react/macro';
import type { OwnCohort } from '#features/planning/find-own-cohort.ts';

/** Whether no one comes in any more. An archived cohort is over for everyone in it. */
export function isPast(
  { archived_at: archivedAt, ends_at: endsAt }: OwnCohort,
  now: Date,
): boolean {
  return archivedAt !== null || new Date(endsAt) <= now;
}

/** Why no one can be added to such a cohort, and what to do about it. */
export function PastCohort({ cohort }: { cohort: OwnCohort }) {
  return cohort.archived_at === null ? (
    <Trans>This cohort has ended, so no one can be added.</Trans>
  ) : (
    <Trans>
      This cohort is archived, so no emails go out. To add people, take it out of the archive first.
    </Trans>
  );
}
