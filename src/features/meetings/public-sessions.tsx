import { Plural, useLingui } from '@lingui/react/macro';
import { type DayOffSpan, dayOfWallTime, spansOf } from '#lib/time/calendar.ts';
import { clockRange, dayParts } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { MeetingRow, WithoutClass } from './meeting-list.tsx';
import { OwnPattern } from './own-pattern.tsx';
import type { PublicDayOff, PublicMeeting } from './public-meetings.ts';
import { type WeeklyPattern, weekdaysInWords, weeklyPattern } from './weekly-pattern.ts';

type PublicSessionsProps = {
  meetings: PublicMeeting[];
  daysOff: PublicDayOff[];
  zone: string;
  /** How many rows are shown at first; the others unfold. */
  most: number;
};

type Pattern = WeeklyPattern<PublicMeeting>;
type Row = { key: string; day: string; meeting: PublicMeeting | null; span: DayOffSpan | null };

/** The sessions of a cohort for those who would like to take part, and the days without one. */
export function PublicSessions({ meetings, daysOff, zone, most }: PublicSessionsProps) {
  const pattern = weeklyPattern(meetings);
  const count = meetings.filter(({ isCancelled }) => isCancelled === 0).length;
  const rows = rowsOf(meetings, daysOff);
  const rest = rows.slice(most);
  const rowProps = { zone, pattern };
  if (meetings.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="live-sessions" className="meeting-list">
      <Heading pattern={pattern} count={count} />
      <p className="mb-3 text-muted text-sm">
        <PatternSentence pattern={pattern} zone={zone} />
      </p>
      <ol>
        {rows.slice(0, most).map((row) => (
          <SessionRow key={row.key} row={row} {...rowProps} />
        ))}
      </ol>
      {rest.length > 0 && (
        <details>
          <summary className="button button-quiet my-2 -ml-3 w-fit list-none px-3">
            <Plural value={rest.length} one="Show # more" other="Show # more" />
          </summary>
          <ol>
            {rest.map((row) => (
              <SessionRow key={row.key} row={row} {...rowProps} />
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

/** `10 Mondays`, or how many sessions there are if they are on other days too. */
function Heading({ pattern, count }: { pattern: Pattern | null; count: number }) {
  const { i18n, t } = useLingui();
  const weekday = onlyWeekday(pattern, i18n.locale);
  return (
    <h2 id="live-sessions">
      {weekday === null ? (
        <Plural value={count} one="# session" other="# sessions" />
      ) : (
        t`${count} ${weekday}`
      )}
    </h2>
  );
}

function onlyWeekday(pattern: Pattern | null, locale: string): string | null {
  return pattern?.isEveryWeekday && pattern.days.length === 1
    ? weekdaysInWords(pattern.days, locale)
    : null;
}

/** When the sessions are by the clocks of their cohort, and by those of the reader. */
function PatternSentence({ pattern, zone }: { pattern: Pattern | null; zone: string }) {
  const { i18n, t } = useLingui();
  const city = cityOf(zone, i18n.locale);
  if (pattern === null) {
    return t`All times are ${city} time.`;
  }
  const isSaid = pattern.days.length === 0 || onlyWeekday(pattern, i18n.locale) !== null;
  const weekdays = weekdaysInWords(pattern.days, i18n.locale);
  const [first] = pattern.meetings;
  const range = regularTime(first, zone, i18n.locale);
  // Where the browser puts the reader's time in, and their city or a day.
  const [time, place, day] = ['#', '@', '@'];
  return (
    <>
      {isSaid ? t`${range} ${city} time.` : t`${weekdays}, ${range} ${city} time.`}
      <OwnPattern
        starts={pattern.meetings.map(({ startsAt }) => new Date(startsAt).toISOString())}
        minutes={first.durationMinutes}
        zone={zone}
        locale={i18n.locale}
        words={{
          own: t`That’s ${time} in ${place}, your time zone.`,
          change: t`From ${day} on: ${time}.`,
          nextDay: t`${time} the next day`,
          dayBefore: t`${time} the day before`,
        }}
      />
    </>
  );
}

/** `6:30 – 9:00 PM` */
export function regularTime(
  { startsAt, durationMinutes }: PublicMeeting,
  zone: string,
  locale: string,
): string {
  return clockRange(
    zone,
    new Date(startsAt),
    new Date(startsAt + durationMinutes * 60_000),
    locale,
  );
}

function rowsOf(meetings: PublicMeeting[], daysOff: PublicDayOff[]): Row[] {
  const sessions = meetings.map((meeting) => {
    const day = dayOfWallTime(meeting.startsLocal);
    return { key: meeting.id, day, meeting, span: null };
  });
  const without = spansOf(
    daysOff,
    sessions.flatMap(({ day, meeting }) => (meeting.isCancelled === 1 ? [] : day)),
  ).map((span) => ({ key: span.from, day: span.from, meeting: null, span }));
  return [...sessions, ...without].toSorted((one, other) => one.day.localeCompare(other.day));
}

type SessionRowProps = { row: Row; zone: string; pattern: Pattern | null };

function SessionRow({ row: { day, meeting, span }, zone, pattern }: SessionRowProps) {
  const { i18n } = useLingui();
  const { weekday } = dayParts(day, i18n.locale);
  if (span !== null) {
    return (
      <li className="grid min-h-12 grid-cols-[3rem_minmax(0,1fr)] items-center gap-x-3.5 py-2 text-sm text-muted wrap-anywhere">
        <WithoutClass span={span} />
      </li>
    );
  }
  const isTimeSaid = meeting !== null && pattern?.meetings.includes(meeting);
  return (
    meeting && (
      <MeetingRow meeting={meeting} zone={zone} weekday={weekday} isTimeSaid={isTimeSaid} />
    )
  );
}
