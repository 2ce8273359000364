import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ListedCohort } from '#features/planning/own-cohorts.ts';
import { dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import { dayOfYear, dayParts } from '#lib/time/words.ts';

/** More marks than this are too small to see. */
const mostSeats = 40;

/** With fewer, each would be a bar and not a seat. */
const fewestSeats = 12;

/** Beyond these, people who wait are only counted in words. */
const mostWaiting = 6;

type SeatsProps = { capacity: number | null; taken: number; waiting?: number };

/** One mark for each place, hollow for those who wait. The words beside it say the same. */
export function Seats({ capacity, taken, waiting = 0 }: SeatsProps) {
  if (capacity === null) {
    return null;
  }
  const isCut = capacity <= mostSeats;
  const gap = isCut ? 0.16 : 0;
  const hollow = isCut ? Math.min(waiting, mostWaiting) : 0;
  // A gap of one seat is before those who wait.
  const first = capacity + 1;
  const all = hollow > 0 ? first + hollow : capacity;
  const of = isCut ? Math.max(all, fewestSeats) : all;
  return (
    <svg className="seats" aria-hidden="true">
      <Marks from={0} to={capacity} of={of} gap={gap} />
      {taken > 0 && <Marks from={0} to={taken} of={of} gap={gap} kind="taken" />}
      {Array.from({ length: hollow }, (_, index) => first + index).map((seat) => (
        <rect key={seat} x={`${(seat / of) * 100}%`} width={`${(0.84 / of) * 100}%`} />
      ))}
    </svg>
  );
}

/** More bars than this are too narrow to see. */
const mostWeeks = 16;

type WeeksProps = { week: number; weeks: number };

/** One bar for each week: gone, now and to come. The words beside it say the same. */
export function Weeks({ week, weeks }: WeeksProps) {
  // About as wide for any number of them.
  const gap = weeks <= mostWeeks ? weeks / 100 : 0;
  return (
    <svg className="weeks" aria-hidden="true">
      <Marks from={0} to={weeks} of={weeks} gap={gap} />
      {week > 1 && <Marks from={0} to={week - 1} of={weeks} gap={gap} kind="gone" />}
      <Marks from={week - 1} to={week} of={weeks} gap={gap} kind="now" />
    </svg>
  );
}

/** In which of its weeks a running cohort is. */
export function weekOf(days: { startsOn: string; endsOn: string }, today: string): WeeksProps {
  const toWeeks = (last: string) => Math.floor(daysBetween(days.startsOn, last) / 7) + 1;
  return { week: toWeeks(today), weeks: toWeeks(days.endsOn) };
}

type MarksProps = {
  from: number;
  to: number;
  of: number;
  /** After each mark, as a part of it. */
  gap: number;
  kind?: string;
};

/** A line that is cut into as many marks as it counts. Attributes, because no style is inline. */
function Marks({ from, to, of, gap, kind }: MarksProps) {
  return (
    <line
      x1={`${(from / of) * 100}%`}
      x2={`${(to / of) * 100}%`}
      y1="50%"
      y2="50%"
      pathLength={to - from}
      strokeDasharray={`${1 - gap} ${gap}`}
      data-kind={kind}
    />
  );
}

/** A day set in type, as in a printed program. The words beside it say it too. */
export function DayBlock({ day, weekday }: { day: string; weekday?: string | undefined }) {
  const { i18n } = useLingui();
  const parts = dayParts(day, i18n.locale);
  return (
    <span className="day-block" aria-hidden="true">
      <span>{parts.month}</span>
      <span>{parts.day}</span>
      {weekday !== undefined && <span>{weekday}</span>}
    </span>
  );
}

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
