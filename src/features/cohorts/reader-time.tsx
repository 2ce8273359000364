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
  /** Nothing is said if the reader's clocks differ otherwise at this moment. ISO 8601. */
  until?: string;
  /** What is said where the two do not differ; nothing by default. */
  sameText?: string;
  /** Whether the time alone is said, with its weekday if that differs. */
  isShort?: boolean;
  /** Whether the time alone is said in any case, because it is only hours away. */
  isSoon?: boolean;
};

/**
 * A moment by the reader's own clock, if that differs from the one beside it. The line is there
 * before the scripts are, so that nothing moves.
 */
export function ReaderTime(props: ReaderTimeProps) {
  const { zone, text, room, until, sameText = '' } = props;
  const own = useInBrowser(
    () => (until && !isAlike(props, until) ? '' : wordsIn(undefined, props)),
    '',
  );
  const isSame = own === '' || own === wordsIn(zone, props);
  return (
    <span className="your-time" data-room={room}>
      {/* Another element, because a text that is longer would have moved. */}
      <span key={isSame ? 'same' : 'own'}>{isSame ? sameText : text.replace('#', own)}</span>
    </span>
  );
}

/** Whether the reader's clocks are as far from those of the zone at another moment. */
function isAlike(props: ReaderTimeProps, at: string): boolean {
  const [then, own] = [{ ...props, at }, undefined];
  const isMoved = (zone?: string) => clockIn(zone, props) !== clockIn(zone, then);
  return isMoved(own) === isMoved(props.zone);
}

function clockIn(timeZone: string | undefined, { at, locale }: ReaderTimeProps): string {
  return format(at, locale, { hour: 'numeric', minute: '2-digit', timeZone });
}

/** A short text has the weekday only where it is another day than in the zone beside it. */
function wordsIn(
  timeZone: string | undefined,
  { at, zone, locale, isShort, isSoon }: ReaderTimeProps,
) {
  const dayIn = (one?: string) => format(at, locale, { dateStyle: 'short', timeZone: one });
  const isOtherDay = dayIn(timeZone) !== dayIn(zone);
  return format(at, locale, {
    ...(isShort
      ? isOtherDay && { weekday: 'short' }
      : !isSoon && { month: 'long', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
}

function format(at: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  try {
    return new Date(at).toLocaleString(locale, options);
  } catch {
    // This browser does not know the zone.
    return '';
  }
}
