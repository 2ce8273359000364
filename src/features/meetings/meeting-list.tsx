import { Trans, useLingui } from '@lingui/react/macro';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import { ReaderTime } from '#features/cohorts/reader-time.tsx';
import { type DayOffSpan, dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import { clockRange, dayIn, dayParts, longDay } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { LinkedText } from '#ui/linked-text.tsx';
import type { NextMeeting } from './next-meeting.ts';
import type { PublicMeeting } from './public-meetings.ts';

type MeetingRowProps = {
  meeting: PublicMeeting & { note?: string | null };
  zone: string;
  weekday?: string | undefined;
  /** Whether the time is said elsewhere for all sessions, and here to screen readers alone. */
  isTimeSaid?: boolean | undefined;
};

/** A live session in a list, for those who take part or would like to. */
export function MeetingRow({ meeting, zone, weekday, isTimeSaid }: MeetingRowProps) {
  const { title, startsLocal, startsAt, durationMinutes, place, publicLine, note } = meeting;
  const isCancelled = meeting.isCancelled === 1;
  return (
    <li className="meeting-row" data-status={isCancelled ? 'cancelled' : undefined}>
      <DayBlock day={dayOfWallTime(startsLocal)} weekday={weekday} />
      <div className="meeting-title">
        {isCancelled ? <s dir="auto">{title}</s> : <span dir="auto">{title}</span>}
        {isCancelled && (
          <span className="text-muted">
            <Trans>Canceled session</Trans>
          </span>
        )}
        {!isCancelled && <Detail text={publicLine} />}
        <Detail text={place} />
        {!isCancelled && <Detail text={note} />}
      </div>
      <MeetingTime
        at={new Date(startsAt).toISOString()}
        startsLocal={startsLocal}
        minutes={durationMinutes}
        zone={zone}
        isSaid={isTimeSaid}
      />
    </li>
  );
}

function Detail({ text }: { text: string | null | undefined }) {
  return (
    text && (
      <span className="text-muted whitespace-pre-line" dir="auto">
        <LinkedText text={text} />
      </span>
    )
  );
}

/** Days without class: their span as it is set in type, and why. */
export function WithoutClass({ span: { from, to, reason } }: { span: DayOffSpan }) {
  const { i18n } = useLingui();
  const [first, last] = [dayParts(from, i18n.locale), dayParts(to, i18n.locale)];
  const because = <bdi>{reason}</bdi>;
  return (
    <>
      <span className="justify-self-center text-center text-[0.8125rem]/5 whitespace-nowrap">
        {first.month} <b className="font-serif text-base font-semibold">{first.day}</b>
        {from !== to && (
          <span className="block">
            {'– '}
            {first.month !== last.month && `${last.month} `}
            <b className="font-serif text-base font-semibold">{last.day}</b>
          </span>
        )}
      </span>
      <span>{reason === '' ? <Trans>No class</Trans> : <Trans>No class: {because}</Trans>}</span>
    </>
  );
}

type MeetingTimeProps = {
  /** ISO 8601. */
  at: string;
  startsLocal: string;
  minutes: number;
  zone: string;
  /** Whether it is said elsewhere for all sessions, and here to screen readers alone. */
  isSaid?: boolean | undefined;
};

/** When a session begins and ends in the cohort's zone and, below it, in the reader's. */
export function MeetingTime({ at, startsLocal, minutes, zone, isSaid = false }: MeetingTimeProps) {
  const { i18n, t } = useLingui();
  // Where the browser puts the reader's time in.
  const ownTime = t`# for you`;
  const start = new Date(at);
  const end = new Date(start.getTime() + minutes * 60_000);
  return (
    <div className={isSaid ? 'sr-only' : 'meeting-time'}>
      <time dateTime={at}>
        <span className="sr-only">{`${longDay(dayOfWallTime(startsLocal), i18n.locale)}, `}</span>
        {clockRange(zone, start, end, i18n.locale)}
      </time>
      {!isSaid && (
        <ReaderTime at={at} zone={zone} locale={i18n.locale} text={ownTime} room="" isShort />
      )}
    </div>
  );
}

type NextSessionProps = {
  meeting: NextMeeting;
  zone: string;
  now: Date;
  /** The cohort's first day: before that, its next session is its first. */
  startsOn: string;
};

/** The session of a cohort that runs or comes next. */
export function NextSession({ meeting, zone, now, startsOn }: NextSessionProps) {
  const { i18n } = useLingui();
  const { title, startsLocal, startsAt, durationMinutes } = meeting;
  const day = dayOfWallTime(startsLocal);
  const start = new Date(startsAt);
  const end = new Date(startsAt + durationMinutes * 60_000);
  const time = <span>{clockRange(zone, start, end, i18n.locale)}</span>;
  const city = <span>{cityOf(zone, i18n.locale)}</span>;
  const today = dayIn(zone, now);
  const days = daysBetween(today, day);
  return (
    <div className="next-session grid w-full grid-cols-[auto_minmax(0,1fr)] gap-5 wrap-anywhere">
      <DayBlock day={day} weekday={dayParts(day, i18n.locale).weekday} />
      <div className="border-s border-line ps-5">
        <p className="text-muted text-sm">
          {start <= now ? (
            <Trans>Live session, now</Trans>
          ) : days === 0 ? (
            <Trans>Next live session, today</Trans>
          ) : days === 1 ? (
            <Trans>Next live session, tomorrow</Trans>
          ) : today < startsOn ? (
            <Trans>First live session</Trans>
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
