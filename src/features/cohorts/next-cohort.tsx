import { Trans } from '@lingui/react/macro';
import { NextSession } from '#features/meetings/next-session.tsx';
import { dayIn } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { DaysAndCity, Places, Waiting } from './cohort-rows.tsx';
import { Weeks, weekOf } from './drawings.tsx';
import type { ListedCohort } from './list-own-cohorts.ts';
import { StatusChip } from './status-chip.tsx';

type NextCohortProps = { cohort: ListedCohort; at: Date };

/** The cohort that runs or comes next, in the hero of its course. */
export function NextCohort({ cohort, at }: NextCohortProps) {
  const { week, weeks } = weekOf(cohort, dayIn(cohort.timeZone, at));
  const now = <span>{week}</span>;
  const all = <span>{weeks}</span>;
  const isRunning = cohort.status === 'running';
  return (
    <>
      <h3>
        <bdi>{cohort.name}</bdi>
      </h3>
      <p>
        <DaysAndCity cohort={cohort} />
      </p>
      <dl className="facts">
        <div>
          <dt>
            <Trans>Status</Trans>
          </dt>
          <dd>
            <StatusChip cohort={cohort} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Places</Trans>
          </dt>
          <dd>
            <Places cohort={cohort} />
            <Waiting cohort={cohort} />
          </dd>
        </div>
        {isRunning && (
          <div>
            <dt>
              <Trans>
                Week {now} of {all}
              </Trans>
            </dt>
            <dd>
              <Weeks week={week} weeks={weeks} />
            </dd>
          </div>
        )}
      </dl>
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
