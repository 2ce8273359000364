import 'server-only';
import type { Locale } from '#db/values.ts';
import { skippedTime } from '#features/cohorts/cohort-times.ts';
import { timeOn } from '#features/meetings/meeting-times.ts';
import { refuseFields } from '#lib/app-error.ts';
import { type Day, isDay, type WallTime } from '#lib/time/calendar.ts';
import { dayAt, firstInstantOf } from '#lib/time/instants.ts';

/** A day or a wall time, and its instant. Imported when it is needed: it brings the time library. */
type Opening = { opensLocal: Day | WallTime; opensAt: Date };

/** When a section opens: a time that clocks skip on its day moves forward. */
export function openingOn(local: Day | WallTime, zone: string): Opening {
  if (isDay(local)) {
    return { opensLocal: local, opensAt: firstInstantOf(local, zone) };
  }
  const { startsLocal, startsAt } = timeOn(local, zone);
  return { opensLocal: startsLocal, opensAt: startsAt };
}

/**
 * The same as it was typed.
 *
 * @throws AppError `validation_failed` for a day or a time that clocks skip
 */
export function typedOpening(typed: Day | WallTime, zone: string, locale: Locale): Opening {
  const opening = openingOn(typed, zone);
  if (isDay(typed)) {
    refuseFields(dayAt(opening.opensAt, zone) === typed ? {} : { opens_local: ['date_invalid'] });
  } else if (opening.opensLocal !== typed) {
    refuseFields({ opens_local: [skippedTime(typed, zone, locale)] });
  }
  return opening;
}
