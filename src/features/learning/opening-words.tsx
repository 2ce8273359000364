'use client';

import { addDays, type Day, daysBetween, type WallTime } from '#lib/time/calendar.ts';
import { dayParts, longDate, longDay, shortDay, weekdayAndDay } from '#lib/time/words.ts';
import { useInBrowser } from '#ui/use-in-browser.ts';
import type { Opening } from './outline.ts';

type OpeningProps = {
  opening: Opening;
  locale: string;
  /** The day that it is, by UTC. */
  today: Day;
};

/**
 * When a section opens. What has no day of a cohort is said by the reader's own clock; until
 * scripts run, as the server knows it.
 *
 * @param text with `#` in the place of the day
 */
export function OpeningWords(props: OpeningProps & { text: string; isShort?: boolean }) {
  const { opening, locale, today, text, isShort = false } = props;
  const words = (local: Day | WallTime) =>
    isShort ? shortDay(local.slice(0, 10), locale) : wordsOf(local, today, locale);
  const shown = useInBrowser(() => words(ownTime(opening)), words(serverTime(opening)));
  return <time dateTime={opening.at}>{text.replace('#', shown)}</time>;
}

type OpeningDayProps = OpeningProps & {
  /** With `#` in the place of how long it takes until then. */
  text: string;
  /** Of a preview: `today` is not what clocks say. */
  isFixed: boolean;
  children: React.ReactNode;
};

/** The same as a day that is set in type, with how long it takes until then. */
export function OpeningDay(props: OpeningDayProps) {
  const { opening, locale, today, text, isFixed, children } = props;
  const day = useInBrowser(() => ownTime(opening), serverTime(opening)).slice(0, 10);
  const from = useInBrowser(() => (isFixed ? today : dayNow()), today);
  const parts = dayParts(day, locale);
  // Clocks may be ahead of those of the cohort.
  const days = Math.max(0, daysBetween(from, day));
  const until = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  return (
    <div className="mt-5 grid grid-cols-[auto_minmax(0,1fr)] items-center border-t border-line pt-5">
      <span className="day-block min-w-14" aria-hidden="true">
        <span>{parts.month}</span>
        <span>{parts.day}</span>
        <span>{parts.weekday}</span>
      </span>
      <p className="ms-5 grid border-s border-line ps-5 wrap-anywhere">
        <small className="text-sm text-muted">{text.replace('#', until)}</small>
        {children}
      </p>
    </div>
  );
}

/** The last day before a moment, by the reader’s clock; until scripts run, by UTC. */
export function LastDay({ before, locale }: { before: string; locale: string }) {
  const last = new Date(Date.parse(before) - 1);
  const day = useInBrowser(() => last.toLocaleDateString('sv'), last.toISOString().slice(0, 10));
  return <time dateTime={day}>{longDate(new Date(day), locale)}</time>;
}

/** With the year, if the same day may come before. */
function wordsOf(local: Day | WallTime, today: Day, locale: string): string {
  const day = local.slice(0, 10);
  return day > addDays(today, 300) ? longDay(day, locale) : weekdayAndDay(local, locale);
}

function serverTime({ at, local }: Opening): Day | WallTime {
  return local ?? at.slice(0, 10);
}

function ownTime({ at, local }: Opening): Day | WallTime {
  const isDay = local !== null && !local.includes('T');
  // Swedish dates are ISO dates.
  const own = new Date(at).toLocaleString('sv').slice(0, 16).replace(' ', 'T');
  return isDay ? local : local === null ? own.slice(0, 10) : own;
}

function dayNow(): Day {
  return new Date().toLocaleDateString('sv');
}
