import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { isOngoing, takenPlaces } from '#features/cohorts/cohort-status.ts';
import { DayBlock, Seats, StatusChip, Weeks, weekOf } from '#features/cohorts/drawings.tsx';
import { NextSession } from '#features/meetings/meeting-list.tsx';
import { dayMs } from '#lib/time/calendar.ts';
import { dayIn, dayRange } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { paths } from '#paths.ts';
import type { ListedCohort } from './own-cohorts.ts';

type CohortProps = { cohort: ListedCohort };

/** Cohorts as rows, each a link to its page. */
export function CohortRows({ cohorts }: { cohorts: ListedCohort[] }) {
  return (
    <ul className="@container">
      {cohorts.map((cohort) => (
        <li key={cohort.id} className="border-line border-t last:border-b">
          <a
            href={paths.cohort(cohort.id)}
            className="cohort-row"
            data-past={cohort.status === 'finished' || undefined}
          >
            <DayBlock day={cohort.startsOn} />
            <span className="cohort-name">
              <bdi className="font-semibold">{cohort.name}</bdi>
              <span className="text-muted text-sm">
                <DaysAndCity cohort={cohort} />
              </span>
            </span>
            <StatusChip cohort={cohort} />
            <span className="cohort-places text-muted text-sm">
              {isOngoing(cohort.status) && (
                <Seats capacity={cohort.capacity} taken={takenPlaces(cohort)} />
              )}
              {/* One item of the grid, or each number would have a line of its own. */}
              <span>
                <Places cohort={cohort} />
                <Waiting cohort={cohort} />
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Sessions that are further away are left out of the list. */
const weekMs = 7 * dayMs;

export function RunningCohort({ cohort, at }: CohortProps & { at: Date }) {
  const meeting = cohort.nextMeeting;
  const next = meeting !== null && meeting.startsAt < at.getTime() + weekMs ? meeting : null;
  return (
    <article className="card running" aria-labelledby={`cohort-${cohort.id}`}>
      <DayBlock day={cohort.startsOn} />
      <div className="cohort-name content-start justify-items-start gap-1">
        <div className="with-chip">
          <h3 id={`cohort-${cohort.id}`}>
            <a className="after:rounded-[inherit]" href={paths.cohort(cohort.id)}>
              <bdi>{cohort.name}</bdi>
            </a>
          </h3>
          <StatusChip cohort={cohort} />
        </div>
        <p className="text-muted text-sm">
          <DaysAndCity cohort={cohort} />
        </p>
        <Progress cohort={cohort} at={at} />
      </div>
      {next !== null && (
        <div className="col-start-2 grid justify-items-start gap-3 border-line @min-[52rem]:col-start-3 @min-[52rem]:border-s @min-[52rem]:ps-6">
          <NextSession meeting={next} zone={cohort.timeZone} now={at} startsOn={cohort.startsOn} />
          {(next.joinUrl ?? cohort.joinUrl) !== null && (
            <a
              // Above the link of the whole card.
              className="button button-small [position:relative] z-1"
              href={next.joinUrl ?? cohort.joinUrl ?? undefined}
              target="_blank"
              rel="noreferrer"
            >
              <Trans>Open meeting link</Trans>
            </a>
          )}
        </div>
      )}
    </article>
  );
}

/** How far a cohort is: its weeks while it is running, and its places. */
function Progress({ cohort, at }: CohortProps & { at: Date }) {
  const isRunning = cohort.status === 'running';
  const { week, weeks } = weekOf(cohort, dayIn(cohort.timeZone, at));
  const now = <span>{week}</span>;
  const all = <span>{weeks}</span>;
  return (
    <div className="cohort-places mt-3 w-full text-muted text-sm">
      {isRunning ? (
        <Weeks week={week} weeks={weeks} />
      ) : (
        <Seats capacity={cohort.capacity} taken={takenPlaces(cohort)} />
      )}
      <p className="flex flex-wrap justify-between gap-x-4">
        {isRunning && (
          <span>
            <Trans>
              Week {now} of {all}
            </Trans>
          </span>
        )}
        <span>
          <Places cohort={cohort} />
          <Waiting cohort={cohort} />
        </span>
      </p>
    </div>
  );
}

type DaysProps = { cohort: Pick<ListedCohort, 'startsOn' | 'endsOn' | 'timeZone'> };

/** `January 4 – February 12, 2027 · Vancouver` */
export function DaysAndCity({ cohort: { startsOn, endsOn, timeZone } }: DaysProps) {
  const { i18n } = useLingui();
  const city = cityOf(timeZone, i18n.locale);
  // No line begins with the dot.
  return `${dayRange(startsOn, endsOn, i18n.locale)}\u00a0· ${city}`;
}

function Places({ cohort }: CohortProps) {
  const { capacity } = cohort;
  const taken = <span>{takenPlaces(cohort)}</span>;
  const places = <span>{capacity}</span>;
  if (capacity === null) {
    const { enrolled } = cohort;
    return isOngoing(cohort.status) && enrolled > 0 ? (
      <Plural value={enrolled} one="# enrolled" other="# enrolled" />
    ) : (
      <Trans>No limit</Trans>
    );
  }
  return isOngoing(cohort.status) ? (
    <Trans>
      {taken} of {places}
    </Trans>
  ) : (
    <Plural value={capacity} one="# place" other="# places" />
  );
}

/** How many people wait or ask for a place, after how many are taken; nothing if no one does. */
function Waiting({ cohort }: CohortProps) {
  const { waitlisted, applied } = cohort;
  if (!isOngoing(cohort.status)) {
    return null;
  }
  return (
    <>
      <WaitingWords count={applied} after=" · ">
        <Plural
          value={applied}
          one="# person has asked to join"
          other="# people have asked to join"
        />
      </WaitingWords>
      <WaitingWords count={waitlisted} after=" · ">
        <Plural value={waitlisted} one="# waiting" other="# waiting" />
      </WaitingWords>
    </>
  );
}

type WaitingWordsProps = { count: number; after: string; children: ReactNode };

/** That people wait, after what is said before; nothing if no one does. */
export function WaitingWords({ count, after, children }: WaitingWordsProps) {
  return (
    count > 0 && (
      <>
        {after}
        <span className="font-medium text-warn">{children}</span>
      </>
    )
  );
}

type NextCohortProps = CohortProps & {
  at: Date;
  /** Whether the page already has a primary button. */
  isSecond: boolean;
};

/** The cohort that runs or comes next, in the hero of its course. */
export function NextCohort({ cohort, at, isSecond }: NextCohortProps) {
  return (
    <>
      <h3 className="with-chip">
        <bdi>{cohort.name}</bdi> <StatusChip cohort={cohort} />
      </h3>
      {/* Its weeks and the next session say more once it runs. */}
      {cohort.status !== 'running' && (
        <p className="mt-2 max-w-[32em] text-muted">
          <DaysAndCity cohort={cohort} />
        </p>
      )}
      <Progress cohort={cohort} at={at} />
      {cohort.nextMeeting !== null && (
        <NextSession
          meeting={cohort.nextMeeting}
          zone={cohort.timeZone}
          now={at}
          startsOn={cohort.startsOn}
        />
      )}
      <div className="actions w-full">
        <a className={isSecond ? 'button' : 'button button-primary'} href={paths.cohort(cohort.id)}>
          <Trans>Open cohort</Trans>
        </a>
        <a className="button" href={paths.cohorts}>
          <Trans>All cohorts</Trans>
        </a>
      </div>
    </>
  );
}
