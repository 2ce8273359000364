import { useLingui } from '@lingui/react/macro';
import { ReaderTime } from '#features/cohorts/reader-time.tsx';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { clockRange, longDay } from '#lib/time/words.ts';

type MeetingTimeProps = {
  /** ISO 8601. */
  at: string;
  startsLocal: string;
  minutes: number;
  zone: string;
  /** With `#` in the place of the reader's time. */
  ownTime: string;
};

/** When a session begins and ends in the cohort's zone and, below it, in the reader's. */
export function MeetingTime({ at, startsLocal, minutes, zone, ownTime }: MeetingTimeProps) {
  const { i18n } = useLingui();
  const start = new Date(at);
  const end = new Date(start.getTime() + minutes * 60_000);
  return (
    <div className="meeting-time">
      <time dateTime={at}>
        <span className="sr-only">{`${longDay(dayOfWallTime(startsLocal), i18n.locale)}, `}</span>
        {clockRange(zone, start, end, i18n.locale)}
      </time>
      <ReaderTime at={at} zone={zone} locale={i18n.locale} text={ownTime} room={ownTime} isShort />
    </div>
  );
}
