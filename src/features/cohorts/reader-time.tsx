'use client';

import { useSyncExternalStore } from 'react';

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
  const own = useSyncExternalStore(
    never,
    () => (isShort ? shortWordsIn(zone, at, locale) : wordsIn(undefined, at, locale)),
    () => '',
  );
  const isSame =
    own === '' || own === (isShort ? timeIn(zone, at, locale) : wordsIn(zone, at, locale));
  return (
    <span className="your-time" data-room={room}>
      <span>{isSame ? '' : text.replace('#', own)}</span>
    </span>
  );
}

function wordsIn(timeZone: string | undefined, at: string, locale: string): string {
  try {
    return new Date(at).toLocaleString(locale, {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
    });
  } catch {
    // This browser does not know the zone.
    return '';
  }
}

function timeIn(
  timeZone: string | undefined,
  at: string,
  locale: string,
  weekday?: 'short',
): string {
  try {
    const time = { hour: 'numeric', minute: '2-digit', timeZone } as const;
    return new Date(at).toLocaleString(locale, weekday ? { weekday, ...time } : time);
  } catch {
    // This browser does not know the zone.
    return '';
  }
}

/** With its weekday where it is another day. */
function shortWordsIn(zone: string, at: string, locale: string): string {
  const [own, there] = [undefined, zone].map((one) => timeIn(one, at, locale, 'short'));
  const day = (one: string | undefined) => {
    try {
      return new Date(at).toLocaleDateString(locale, { timeZone: one });
    } catch {
      return '';
    }
  };
  return own === there || day(undefined) === day(zone)
    ? timeIn(undefined, at, locale)
    : (own ?? '');
}

function never(): () => void {
  return () => {};
}
