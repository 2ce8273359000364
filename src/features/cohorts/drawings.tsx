import { daysBetween } from '#lib/time/calendar.ts';

/** More marks than this are too small to see. */
const mostSeats = 40;

type SeatsProps = { capacity: number | null; taken: number };

/** One mark for each place. The words beside it say the same. */
export function Seats({ capacity, taken }: SeatsProps) {
  if (capacity === null) {
    return null;
  }
  const isCut = capacity <= mostSeats;
  return (
    <svg className="seats" aria-hidden="true">
      <Marks from={0} to={capacity} of={capacity} isCut={isCut} />
      {taken > 0 && <Marks from={0} to={taken} of={capacity} isCut={isCut} kind="taken" />}
    </svg>
  );
}

/** More bars than this are too narrow to see. */
const mostWeeks = 16;

type WeeksProps = { week: number; weeks: number };

/** One bar for each week: gone, now and to come. The words beside it say the same. */
export function Weeks({ week, weeks }: WeeksProps) {
  const isCut = weeks <= mostWeeks;
  return (
    <svg className="weeks" aria-hidden="true">
      <Marks from={0} to={weeks} of={weeks} isCut={isCut} />
      {week > 1 && <Marks from={0} to={week - 1} of={weeks} isCut={isCut} kind="gone" />}
      <Marks from={week - 1} to={week} of={weeks} isCut={isCut} kind="now" />
    </svg>
  );
}

/** In which of its weeks a running cohort is. */
export function weekOf(days: { startsOn: string; endsOn: string }, today: string): WeeksProps {
  const toWeeks = (last: string) => Math.floor(daysBetween(days.startsOn, last) / 7) + 1;
  return { week: toWeeks(today), weeks: toWeeks(days.endsOn) };
}

type MarksProps = { from: number; to: number; of: number; isCut: boolean; kind?: string };

/** A line that is cut into as many marks as it counts. Attributes, because no style is inline. */
function Marks({ from, to, of, isCut, kind }: MarksProps) {
  return (
    <line
      x1={`${(from / of) * 100}%`}
      x2={`${(to / of) * 100}%`}
      y1="50%"
      y2="50%"
      pathLength={to - from}
      strokeDasharray={isCut ? '0.84 0.16' : undefined}
      data-kind={kind}
    />
  );
}
