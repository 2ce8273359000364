'use client';

import { minuteMs } from '#lib/time/calendar.ts';
import { clockRange, dayIn, dayOfYear } from '#lib/time/words.ts';
import { useInBrowser } from '#ui/use-in-browser.ts';

/** With `#` in the place of the time and `@` in that of the city or the day. */
type Words = Record<'own' | 'change' | 'nextDay' | 'dayBefore', string>;

type OwnPatternProps = {
  /** When the sessions begin that are at the same time of their cohort's zone. ISO 8601. */
  starts: string[];
  minutes: number;
  zone: string;
  locale: string;
  words: Words;
};

/**
 * The regular time of sessions by the reader's clocks, and since when it is another one: clocks
 * change on different days, or nowhere near the reader. Nothing where both are always the same. Its
 * line is there before the scripts are, so that nothing moves.
 */
export function OwnPattern(props: OwnPatternProps) {
  const { starts, minutes, zone, locale, words } = props;
  const from = new Date(starts[0] ?? 0);
  const to = new Date(from.getTime() + minutes * minuteMs);
  const room = fill(words.own, clockRange(zone, from, to, locale), cityIn(zone));
  return (
    <span className="your-time" data-room={room}>
      <span>{useInBrowser(() => sentence(props), '')}</span>
    </span>
  );
}

function cityIn(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

function sentence({ starts, minutes, zone, locale, words }: OwnPatternProps): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const times = starts.map((at) => {
    const from = new Date(at);
    const to = new Date(from.getTime() + minutes * minuteMs);
    const day = dayIn(own, from);
    return {
      day,
      own: clockRange(own, from, to, locale),
      theirs: clockRange(zone, from, to, locale),
      shift: day.localeCompare(dayIn(zone, from)),
    };
  });
  if (times.every((time) => time.own === time.theirs && time.shift === 0)) {
    return '';
  }
  const texts = times.map((time) => withDay(time.own, time.shift, words));
  const changes = times.flatMap(({ day }, index) =>
    index > 0 && texts[index] !== texts[index - 1]
      ? [fill(words.change, texts[index] ?? '', dayOfYear(day, locale))]
      : [],
  );
  return [fill(words.own, texts[0] ?? '', cityIn(own)), ...changes].join(' ');
}

function withDay(time: string, shift: number, { nextDay, dayBefore }: Words): string {
  return shift === 0 ? time : (shift > 0 ? nextDay : dayBefore).replace('#', time);
}

function fill(text: string, time: string, other: string): string {
  return text.replace('#', time).replace('@', other);
}
