'use client';

import { useInBrowser } from '#ui/use-in-browser.ts';

type ReaderTimeProps = {
  /** ISO 8601. */
  at: string;
  /** The zone in which the time is said beside it. */
  zone: string;
  locale: string;
  /** With `#` in the place of the moment. */
  text: string;
  /** A text that is about as long, whose room is kept. */
  room: string;
  /** Whether the time alone is said, with its weekday if that differs. */
  isShort?: boolean;
};

/**
 * A moment by the reader's own clock, if that differs from the one beside it. The line is there
 * before the scripts are, so that nothing moves.
 */
export function ReaderTime({ at, zone, locale, text, room, isShort }: ReaderTimeProps) {
  const wordsIn = isShort ? shortWordsIn : longWordsIn;
  const own = useInBrowser(() => wordsIn(at, locale, undefined, zone), '');
  const isSame = own === '' || own === wordsIn(at, locale, zone, zone);
  return (
    <span className="your-time" data-room={room}>
      <span>{isSame ? '' : text.replace('#', own)}</span>
    </span>
  );
}

const clock = { hour: 'numeric', minute: '2-digit' } as const;

function longWordsIn(at: string, locale: string, timeZone: string | undefined): string {
  const day = { weekday: 'long', month: 'long', day: 'numeric' } as const;
  return format(at, locale, { ...day, ...clock, timeZone });
}

/** With its weekday where it is another day than in the zone beside it. */
function shortWordsIn(
  at: string,
  locale: string,
  timeZone: string | undefined,
  zone: string,
): string {
  const [day, dayBeside] = [timeZone, zone].map((one) =>
    format(at, locale, { dateStyle: 'short', timeZone: one }),
  );
  return format(at, locale, { ...(day !== dayBeside && { weekday: 'short' }), ...clock, timeZone });
}

function format(at: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  try {
    return new Date(at).toLocaleString(locale, options);
  } catch {
    // This browser does not know the zone.
    return '';
  }
}
