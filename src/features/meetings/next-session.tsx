import { Trans, useLingui } from '@lingui/react/macro';
import type { Locale } from '#db/values.ts';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import { dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import { clockRange, dayIn, dayParts, longDay } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import type { NextMeeting } from './next-meeting.ts';

type NextSessionProps = { meeting: NextMeeting; zone: string; now: Date };

/** The session of a cohort that runs or comes next. */
export function NextSession({ meeting, zone, now }: NextSessionProps) {
  const { i18n } = useLingui();
  const { title, startsLocal, startsAt, durationMinutes } = meeting;
  const day = dayOfWallTime(startsLocal);
  const start = new Date(startsAt);
  const end = new Date(startsAt + durationMinutes * 60_000);
  const time = <span>{clockRange(zone, start, end, i18n.locale)}</span>;
  const city = <span>{cityOf(zone, i18n.locale as Locale)}</span>;
  const days = daysBetween(dayIn(zone, now), day);
  return (
    <div className="next-session">
      <DayBlock day={day} weekday={dayParts(day, i18n.locale).weekday} />
      <div>
        <p className="text-muted text-sm">
          {start <= now ? (
            <Trans>Live session, now</Trans>
          ) : days === 0 ? (
            <Trans>Next live session, today</Trans>
          ) : days === 1 ? (
            <Trans>Next live session, tomorrow</Trans>
          ) : (
            <Trans>Next live session</Trans>
          )}
        </p>
        <p className="font-semibold" dir="auto">
          {title}
        </p>
        <p className="text-muted text-sm">
          <span className="sr-only">{`${longDay(day, i18n.locale)}, `}</span>
          <Trans>
            {time} ({city})
          </Trans>
        </p>
      </div>
    </div>
  );
}
