import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ComponentProps, Fragment } from 'react';
import { calendarPaths } from '#features/calendar/addresses.ts';
import { CalendarFile } from '#features/calendar/calendar-links.tsx';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { dayParts, daySpan, longDay } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { Empty } from '#ui/empty.tsx';
import { PrintButton, PrintStyles } from '#ui/print.tsx';
import { MeetingTime } from './meeting-list.tsx';
import { meetingPaths } from './meeting-paths.ts';
import { OwnClockChange } from './own-clock-change.tsx';
import type { Meeting } from './schema.ts';
import type { ClockChange, Week } from './weeks.ts';

/** The live sessions of a cohort by its weeks, on its clocks and on the viewer's. */
export function Schedule({ cohort, weeks }: { cohort: OwnCohort; weeks: Week[] }) {
  const { i18n, t } = useLingui();
  const { id } = cohort;
  if (weeks.length === 0) {
    return (
      <Empty title={t`No live sessions yet.`}>
        <p>
          <Trans>
            Add them one by one, or a whole series a week apart. Everyone with the public address
            sees their titles and times.
          </Trans>
        </p>
        <div className="actions">
          <a className="button button-primary button-large" href={meetingPaths.addWeekly(id)}>
            <Trans>Add weekly sessions</Trans>
          </a>
          <a className="button button-large" href={meetingPaths.add(id)}>
            <Trans>Add session</Trans>
          </a>
        </div>
      </Empty>
    );
  }
  const city = <span>{cityOf(cohort.time_zone, i18n.locale)}</span>;
  const words = {
    locale: i18n.locale,
    forward: t`Your clocks go forward (#).`,
    back: t`Your clocks go back (#).`,
    later: t`The next sessions are # later for you.`,
    earlier: t`The next sessions are # earlier for you.`,
  };
  return (
    <div className="schedule">
      <PrintStyles />
      <div className="schedule-head">
        <h2>
          <Plural value={cohort.meetingCount} one="# live session" other="# live sessions" />
        </h2>
        <p className="text-muted">
          <Trans>Times are in {city} time.</Trans>
        </p>
        <div className="actions">
          {cohort.archived_at === null && (
            <a className="button button-quiet icon-before icon-calendar" href={calendarPaths.own}>
              <Trans>Calendar link</Trans>
            </a>
          )}
          <a className="button" href={meetingPaths.add(id)}>
            <Trans>Add session</Trans>
          </a>
          <a className="button button-primary" href={meetingPaths.addWeekly(id)}>
            <Trans>Add weekly sessions</Trans>
          </a>
        </div>
      </div>
      <div className="weeks-list">
        {weeks.map((week, index) => (
          <WeekSection
            key={week.meetings[0]?.id}
            cohort={cohort}
            week={week}
            last={weeks[index - 1]?.meetings.at(-1)}
            words={words}
          />
        ))}
      </div>
      <div className="actions">
        <PrintButton className="button button-quiet">
          <Trans>Print the schedule</Trans>
        </PrintButton>
        <a className="button button-quiet" href={meetingPaths.attendance(id)}>
          <Trans>Attendance sheet</Trans>
        </a>
        {cohort.published_at !== null && (
          <CalendarFile
            href={calendarPaths.file(cohort.public_url)}
            className="button button-quiet"
          />
        )}
      </div>
    </div>
  );
}

type WeekProps = {
  cohort: OwnCohort;
  week: Week;
  last: Meeting | undefined;
  words: ComponentProps<typeof OwnClockChange>['words'];
};

function WeekSection({ cohort, week, last, words }: WeekProps) {
  const { i18n } = useLingui();
  const { number, from, to, change, meetings } = week;
  const [first] = meetings;
  const headingId = `week-${first?.id}`;
  const nth = <span>{number}</span>;
  return (
    <>
      {last && first && (
        <OwnClockChange
          from={last.starts_at}
          to={first.starts_at}
          theirMinutes={change?.minutes ?? 0}
          words={words}
          as="p"
        />
      )}
      {change !== null && <ClockNotice cohort={cohort} change={change} />}
      <section aria-labelledby={headingId} className="week">
        <h3 id={headingId}>
          {number === null ? <Trans>Outside the cohort’s days</Trans> : <Trans>Week {nth}</Trans>}{' '}
          <small>{daySpan(from, to, i18n.locale)}</small>
        </h3>
        <ol>
          {meetings.map((meeting, index) => {
            const before = meetings[index - 1];
            return (
              <Fragment key={meeting.id}>
                {before && (
                  <OwnClockChange
                    from={before.starts_at}
                    to={meeting.starts_at}
                    theirMinutes={0}
                    words={words}
                    as="li"
                  />
                )}
                <Row cohort={cohort} meeting={meeting} />
              </Fragment>
            );
          })}
        </ol>
      </section>
    </>
  );
}

function ClockNotice({ cohort, change }: { cohort: OwnCohort; change: ClockChange }) {
  const { i18n } = useLingui();
  const city = <span>{cityOf(cohort.time_zone, i18n.locale)}</span>;
  const day = <span>{longDay(change.day, i18n.locale)}</span>;
  const by = Math.abs(change.minutes);
  const hours = by % 60 === 0 ? by / 60 : null;
  const amount = (
    <span>
      {hours === null ? (
        <Plural value={by} one="# minute" other="# minutes" />
      ) : (
        <Plural value={hours} one="# hour" other="# hours" />
      )}
    </span>
  );
  return (
    <p className="notice clock-change icon-before icon-clock">
      <span>
        {change.minutes > 0 ? (
          <Trans>
            Clocks in {city} go forward by {amount} ({day}). Sessions keep their clock time.
          </Trans>
        ) : (
          <Trans>
            Clocks in {city} go back by {amount} ({day}). Sessions keep their clock time.
          </Trans>
        )}
      </span>
    </p>
  );
}

function Row({ cohort, meeting }: { cohort: OwnCohort; meeting: Meeting }) {
  const { i18n } = useLingui();
  const { title, starts_local: startsLocal, status, warnings, place } = meeting;
  const isCancelled = status === 'cancelled';
  const day = dayOfWallTime(startsLocal);
  return (
    <li className="meeting-row" data-status={status}>
      <DayBlock day={day} weekday={dayParts(day, i18n.locale).weekday} />
      <div className="meeting-title">
        {isCancelled ? (
          <s dir="auto">{title}</s>
        ) : (
          <a href={meetingPaths.page(cohort.id, meeting.id)} dir="auto">
            {title}
          </a>
        )}
        {isCancelled && (
          <span className="text-muted">
            <Trans>Canceled session</Trans>
          </span>
        )}
        {place !== null && (
          <span className="text-muted" dir="auto">
            {place}
          </span>
        )}
        {warnings.includes('outside_dates') && (
          <span className="text-warn">
            <Trans>Not within the cohort’s dates</Trans>
          </span>
        )}
        {warnings.includes('overlaps') && (
          <span className="text-warn">
            <Trans>At the same time as another session of yours</Trans>
          </span>
        )}
      </div>
      <MeetingTime
        at={meeting.starts_at}
        startsLocal={startsLocal}
        minutes={meeting.duration_minutes}
        zone={meeting.time_zone}
      />
    </li>
  );
}
