'use client';

import { useSyncExternalStore } from 'react';

type YourTimeProps = {
  /** ISO 8601. */
  at: string;
  /** The zone in which the time is said beside it. */
  zone: string;
  locale: string;
  /** With `#` in the place of the moment. */
  text: string;
};

/**
 * A moment by the reader's own clock, if that differs from the one beside it. The line is there
 * before the scripts are, so that nothing moves.
 */
export function YourTime({ at, zone, locale, text }: YourTimeProps) {
  const own = useSyncExternalStore(
    never,
    () => wordsIn(undefined, at, locale),
    () => '',
  );
  const isSame = own === '' || own === wordsIn(zone, at, locale);
  return <span className="your-time">{isSame ? '' : text.replace('#', own)}</span>;
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

function never(): () => void {
  return () => {};
}
