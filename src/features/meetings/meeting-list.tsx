import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import { ReaderTime } from '#features/cohorts/reader-time.tsx';
import { dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import { clockRange, dayIn, dayParts, longDay } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { LinkedText } from '#ui/linked-text.tsx';
import type { NextMeeting } from './next-meeting.ts';
import type { OwnMeeting, PublicMeeting } from './public-meetings.ts';

type Listed = PublicMeeting & Partial<Pick<OwnMeeting, 'joinUrl' | 'note'>>;

type MeetingListProps = {
  /** Unique on the page. */
  id: string;
  meetings: Listed[];
  zone: string;
  /** How many are shown at first; the others unfold. */
  most: number;
  /** How many take place in all, if those that are over are not listed. */
  total?: number;
};

/** The live sessions of a cohort, for those who take part or would like to. */
export function MeetingList({ id, meetings, zone, most, total }: MeetingListProps) {
  const { i18n } = useLingui();
  const count = total ?? meetings.filter((meeting) => meeting.isCancelled === 0).length;
  const city = <span>{cityOf(zone, i18n.locale)}</span>;
  const rest = meetings.slice(most);
  if (meetings.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby={id} className="meeting-list">
      <h2 id={id}>
        <Plural value={count} one="# live session" other="# live sessions" />
      </h2>
      <p className="text-muted text-sm">
        <Trans>Times are in {city} time.</Trans>
      </p>
      <ol>
        {meetings.slice(0, most).map((meeting) => (
          <ListedMeeting key={meeting.id} meeting={meeting} zone={zone} />
        ))}
      </ol>
      {rest.length > 0 && (
        <details>
          <summary className="button button-quiet">
            <Plural value={rest.length} one="Show # more" other="Show # more" />
          </summary>
          <ol>
            {rest.map((meeting) => (
              <ListedMeeting key={meeting.id} meeting={meeting} zone={zone} />
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

function ListedMeeting({ meeting, zone }: { meeting: Listed; zone: string }) {
  const { title, startsLocal, startsAt, durationMinutes, place, joinUrl, note } = meeting;
  const isCancelled = meeting.isCancelled === 1;
  return (
    <li className="meeting-row" data-status={isCancelled ? 'cancelled' : undefined}>
      <DayBlock day={dayOfWallTime(startsLocal)} />
      <div className="meeting-title">
        {isCancelled ? <s dir="auto">{title}</s> : <span dir="auto">{title}</span>}
        {isCancelled && (
          <span className="text-muted">
            <Trans>Canceled session</Trans>
          </span>
        )}
        {place !== null && (
          <span className="text-muted" dir="auto">
            <LinkedText text={place} />
          </span>
        )}
        {!isCancelled && note && (
          <span className="text-muted whitespace-pre-line" dir="auto">
            <LinkedText text={note} />
          </span>
        )}
        {!isCancelled && joinUrl && (
          <a className="link" href={joinUrl} rel="noreferrer">
            <Trans>Join online</Trans>
          </a>
        )}
      </div>
      <MeetingTime
        at={new Date(startsAt).toISOString()}
        startsLocal={startsLocal}
        minutes={durationMinutes}
        zone={zone}
      />
    </li>
  );
}

type MeetingTimeProps = {
  /** ISO 8601. */
  at: string;
  startsLocal: string;
  minutes: number;
  zone: string;
  /** `hidden`: for screen readers, where the times of all sessions are said at once. */
  look?: 'hidden' | 'own-line';
};

/** When a session begins and ends in the cohort's zone and, below it, in the reader's. */
export function MeetingTime({ at, startsLocal, minutes, zone, look }: MeetingTimeProps) {
  const { i18n, t } = useLingui();
  // Where the browser puts the reader's time in.
  const ownTime = t`# for you`;
  const start = new Date(at);
  const end = new Date(start.getTime() + minutes * 60_000);
  return (
    <div className={look === 'hidden' ? 'sr-only' : 'meeting-time'}>
      <time dateTime={at}>
        <span className="sr-only">{`${longDay(dayOfWallTime(startsLocal), i18n.locale)}, `}</span>
        {clockRange(zone, start, end, i18n.locale)}
      </time>
      {look !== 'hidden' && (
        <ReaderTime at={at} zone={zone} locale={i18n.locale} text={ownTime} room="" isShort />
      )}
    </div>
  );
}

type NextSessionProps = { meeting: NextMeeting; zone: string; now: Date };

/** The session of a cohort that runs or comes next. */
export function NextSession({ meeting, zone, now }: NextSessionProps) {
  const { i18n } = useLingui();
  const { title, startsLocal, startsAt, durationMinutes } = meeting;
  const day = dayOfWallTime(startsLocal);
  const start = new Date(startsAt);
  const end = new Date(startsAt + durationMinutes * 60_000);
  const time = <span>{clockRange(zone, start, end, i18n.locale)}</span>;
  const city = <span>{cityOf(zone, i18n.locale)}</span>;
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
