import 'server-only';
// By name: the package's default takes a runtime's own `Temporal`, which had a wrong clock before.
import { Temporal } from 'temporal-polyfill/implementation';
import { addDays, type Day, type WallTime } from './calendar.ts';

/**
 * Instants of days and wall times, by the time zone data of this runtime. Runtimes disagree about
 * the future, so what is stored is the wall time; an instant beside it is recomputed every night.
 *
 * Imported when it is needed (`await import`): few requests ask for the time in a zone.
 */

/** The first moment of a day: not midnight where clocks skip it, as in Cairo. */
export function firstInstantOf(day: Day, zone: string): Date {
  return toDate(Temporal.PlainDate.from(day).toZonedDateTime(zone));
}

/** The first moment after a day: the end of what lasts until the end of it. */
export function endOf(day: Day, zone: string): Date {
  return firstInstantOf(addDays(day, 1), zone);
}

/**
 * The instant of a wall time.
 *
 * @returns null if clocks skip it on that day; the first of two if it comes twice
 */
export function instantOf(wallTime: WallTime, zone: string): Date | null {
  const plain = Temporal.PlainDateTime.from(wallTime);
  // For a time that comes twice this is the first; for a skipped one it is another wall time.
  const zoned = plain.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return zoned.toPlainDateTime().equals(plain) ? toDate(zoned) : null;
}

/** The wall time itself, or, where clocks skip it, the one later by what they skip. */
export function nextExisting(wallTime: WallTime, zone: string): WallTime {
  return toWallTime(Temporal.PlainDateTime.from(wallTime).toZonedDateTime(zone));
}

/** What clocks show in a zone at an instant. */
export function wallTimeAt(instant: Date, zone: string): WallTime {
  return toWallTime(
    Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone),
  );
}

/** Which day it is in a zone at an instant. */
export function dayAt(instant: Date, zone: string): Day {
  return wallTimeAt(instant, zone).slice(0, 10);
}

function toWallTime(zoned: Temporal.ZonedDateTime): WallTime {
  return zoned.toPlainDateTime().toString({ smallestUnit: 'minute' });
}

function toDate(zoned: Temporal.ZonedDateTime): Date {
  return new Date(zoned.epochMilliseconds);
}
