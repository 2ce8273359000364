import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ListedCohort } from '#features/planning/list-own-cohorts.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { dayOfYear } from '#lib/time/words.ts';

type ChipCohort = Pick<ListedCohort, 'status' | 'startsOn' | 'enrollmentOpensLocal'>;

/** The status of a cohort in a word or two, with a sign whose shape differs too. */
export function StatusChip({ cohort }: { cohort: ChipCohort }) {
  const { i18n } = useLingui();
  return (
    <span className="chip status" data-status={cohort.status}>
      {statusText(i18n, cohort)}
    </span>
  );
}

function statusText(i18n: I18n, { status, startsOn, enrollmentOpensLocal }: ChipCohort): string {
  const opensOn = enrollmentOpensLocal && dayOfWallTime(enrollmentOpensLocal);
  const day = dayOfYear((status === 'scheduled' && opensOn) || startsOn, i18n.locale);
  const texts = {
    trashed: msg`In the trash`,
    archived: msg`Archived`,
    draft: msg`Draft`,
    finished: msg`Finished`,
    running: msg`Running`,
    scheduled: msg`Opens on ${day}`,
    enrolling: msg`Enrolling`,
    full: msg`Full`,
    upcoming: msg`Starts on ${day}`,
  };
  return i18n._(texts[status]);
}
