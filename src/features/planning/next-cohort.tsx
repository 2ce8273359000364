import { Trans } from '@lingui/react/macro';
import { StatusChip } from '#features/cohorts/status-chip.tsx';
import { NextSession } from '#features/meetings/next-session.tsx';
import { paths } from '#paths.ts';
import { DaysAndCity, Progress } from './cohort-rows.tsx';
import type { ListedCohort } from './list-own-cohorts.ts';

type NextCohortProps = { cohort: ListedCohort; at: Date };

/** The cohort that runs or comes next, in the hero of its course. */
export function NextCohort({ cohort, at }: NextCohortProps) {
  return (
    <>
      <h3 className="with-chip">
        <bdi>{cohort.name}</bdi> <StatusChip cohort={cohort} />
      </h3>
      <p>
        <DaysAndCity cohort={cohort} />
      </p>
      <Progress cohort={cohort} at={at} />
      {cohort.nextMeeting !== null && (
        <NextSession meeting={cohort.nextMeeting} zone={cohort.timeZone} now={at} />
      )}
      <div className="actions w-full">
        <a className="button button-primary" href={paths.cohort(cohort.id)}>
          <Trans>Open cohort</Trans>
        </a>
        <a className="button" href={paths.cohorts}>
          <Trans>All cohorts</Trans>
        </a>
      </div>
    </>
  );
}
