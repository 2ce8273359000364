'use client';

import { lastClockChange } from '#lib/time/calendar.ts';
import { longDay } from '#lib/time/words.ts';
import { useInBrowser } from '#ui/use-in-browser.ts';

/** With `#` in the place of the day, or of how much. */
type Words = Record<'locale' | 'forward' | 'back' | 'later' | 'earlier', string>;

type OwnClockChangeProps = {
  /** When two sessions begin, one after the other. ISO 8601. */
  from: string;
  to: string;
  /** By how many minutes the clocks of the cohort change between them. */
  theirMinutes: number;
  /** The same for all of them, so that it is sent once. */
  words: Words;
  as: 'p' | 'li';
};

/** That the reader's clocks change between two sessions, unless those of the cohort do likewise. */
export function OwnClockChange({ from, to, theirMinutes, words, as: Tag }: OwnClockChangeProps) {
  const text = useInBrowser(() => {
    const [early, late] = [Date.parse(from), Date.parse(to)];
    const minutes = aheadAt(late) - aheadAt(early);
    return minutes === 0 || minutes === theirMinutes
      ? ''
      : sentences(lastClockChange(early, late, aheadAt), minutes, minutes - theirMinutes, words);
  }, '');
  return text === '' ? null : (
    <Tag className="notice own-clock-change icon-before icon-clock my-3 flex gap-3 border-l-0 py-2.5 text-[0.875rem]">
      {text}
    </Tag>
  );
}

/** What changes for the reader: the clocks, and by how many minutes the sessions. */
function sentences(changesAt: number, clocks: number, sessions: number, words: Words): string {
  const { locale, forward, back, later, earlier } = words;
  // Swedish dates are ISO dates.
  const day = new Date(changesAt).toLocaleDateString('sv');
  const amount = Math.abs(sessions);
  const inHours = amount % 60 === 0;
  const unit = { style: 'unit', unit: inHours ? 'hour' : 'minute', unitDisplay: 'long' } as const;
  const moved = new Intl.NumberFormat(locale, unit).format(inHours ? amount / 60 : amount);
  return [
    (clocks > 0 ? forward : back).replace('#', longDay(day, locale)),
    (sessions > 0 ? later : earlier).replace('#', moved),
  ].join(' ');
}

/** By how many minutes the reader's clocks are ahead of UTC. */
function aheadAt(time: number): number {
  return -new Date(time).getTimezoneOffset();
}
