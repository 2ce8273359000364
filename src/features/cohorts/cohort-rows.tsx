import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Locale } from '#db/values.ts';
import { dayIn, dayParts, dayRange } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { paths } from '#paths.ts';
import { Seats, Weeks, weekOf } from './drawings.tsx';
import { nobody } from './get-cohort.ts';
import type { ListedCohort } from './list-own-cohorts.ts';
import { StatusChip } from './status-chip.tsx';

type CohortProps = { cohort: ListedCohort };

/** Cohorts as rows, each a link to its page. */
export function CohortRows({ cohorts }: { cohorts: ListedCohort[] }) {
  return (
    <ul className="cohort-rows">
      {cohorts.map((cohort) => (
        <li key={cohort.id}>
          <a
            href={paths.cohort(cohort.id)}
            className="cohort-row"
            data-past={cohort.status === 'finished' || undefined}
          >
            <DayBlock day={cohort.startsOn} />
            <span className="cohort-name">
              <bdi>{cohort.name}</bdi>
              <span className="text-muted text-sm">
                <DaysAndCity cohort={cohort} />
              </span>
            </span>
            <StatusChip cohort={cohort} />
            <span className="cohort-places text-muted text-sm">
              {isFilling(cohort) && <Seats capacity={cohort.capacity} taken={nobody.taken} />}
              <Places cohort={cohort} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A cohort that is running. */
export function RunningCohort({ cohort, at }: CohortProps & { at: Date }) {
  const { week, weeks } = weekOf(cohort, dayIn(cohort.timeZone, at));
  const now = <span>{week}</span>;
  const all = <span>{weeks}</span>;
  return (
    <article className="card running" aria-labelledby={`cohort-${cohort.id}`}>
      <DayBlock day={cohort.startsOn} />
      <div className="cohort-name">
        <h3 id={`cohort-${cohort.id}`}>
          <a href={paths.cohort(cohort.id)}>
            <bdi>{cohort.name}</bdi>
          </a>
        </h3>
        <StatusChip cohort={cohort} />
        <p className="text-muted text-sm">
          <DaysAndCity cohort={cohort} />
        </p>
        <Weeks week={week} weeks={weeks} />
        <p className="flex w-full flex-wrap justify-between gap-x-4 text-muted text-sm">
          <span>
            <Trans>
              Week {now} of {all}
            </Trans>
          </span>
          <span>
            <Places cohort={cohort} />
          </span>
        </p>
      </div>
    </article>
  );
}

/** A day set in type, as in a printed program. The words beside it say it too. */
export function DayBlock({ day }: { day: string }) {
  const { i18n } = useLingui();
  const parts = dayParts(day, i18n.locale);
  return (
    <span className="day-block" aria-hidden="true">
      <span>{parts.month}</span>
      <span>{parts.day}</span>
    </span>
  );
}

type DaysProps = { cohort: Pick<ListedCohort, 'startsOn' | 'endsOn' | 'timeZone'> };

/** `January 4 – February 12, 2027 · Vancouver` */
export function DaysAndCity({ cohort: { startsOn, endsOn, timeZone } }: DaysProps) {
  const { i18n } = useLingui();
  // The languages of the catalogs are those of the product.
  const city = cityOf(timeZone, i18n.locale as Locale);
  return `${dayRange(startsOn, endsOn, i18n.locale)} · ${city}`;
}

/** Whether its places are being taken, so that it is worth saying how many are. */
function isFilling({ status }: ListedCohort): boolean {
  return ['running', 'scheduled', 'enrolling', 'full', 'upcoming'].includes(status);
}

/** How many places there are, and how many of them are taken. */
export function Places({ cohort }: CohortProps) {
  const { capacity } = cohort;
  const taken = <span>{nobody.taken}</span>;
  const places = <span>{capacity}</span>;
  if (capacity === null) {
    return <Trans>No limit</Trans>;
  }
  return isFilling(cohort) ? (
    <Trans>
      {taken} of {places}
    </Trans>
  ) : (
    <Plural value={capacity} one="# place" other="# places" />
  );
}
