import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ComponentProps, Fragment, type ReactNode } from 'react';
import { calendarPaths } from '#features/calendar/addresses.ts';
import { CalendarFile } from '#features/calendar/calendar-links.tsx';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { dayOfWallTime, shiftWallTime } from '#lib/time/calendar.ts';
import { dayParts, daySpan, longDay, shortDay } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { pick } from '#lib/to-json.ts';
import { Empty } from '#ui/empty.tsx';
import { LinkedText } from '#ui/linked-text.tsx';
import { MoreMenu } from '#ui/more-menu.tsx';
import { PrintButton, PrintStyles } from '#ui/print.tsx';
import { MeetingTime, WithoutClass } from './meeting-list.tsx';
import { meetingPaths } from './meeting-paths.ts';
import { OwnClockChange } from './own-clock-change.tsx';
import type { Meeting } from './schema.ts';
import { areWeeksFull, type ClockChange, type Week } from './weeks.ts';

type ScheduleProps = {
  cohort: OwnCohort;
  weeks: Week[];
  /** Above the list. */
  children: ReactNode;
};

/** The live sessions of a cohort by its weeks, on its clocks and on the viewer's. */
export function Schedule({ cohort, weeks, children }: ScheduleProps) {
  const { i18n, t } = useLingui();
  const { id } = cohort;
  if (weeks.length === 0) {
    return (
      <Empty title={t`No live sessions yet.`}>
        <p>
          <Trans>
            Add them one by one, or a whole series a week apart. Anyone with the public link sees
            their titles and times.
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
    <div className="schedule @container grid gap-6">
      <PrintStyles />
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-sans text-base tracking-normal">
          <Plural value={cohort.meetingCount} one="# live session" other="# live sessions" />
        </h2>
        <p className="text-muted">
          <Trans>All times are {city} time.</Trans>
        </p>
        <div className="actions ms-auto">
          {cohort.archived_at === null && (
            <a className="button button-quiet icon-before icon-calendar" href={calendarPaths.own}>
              <Trans>Calendar link</Trans>
            </a>
          )}
          <a className="button" href={meetingPaths.table(id)}>
            <Trans>Edit as a table</Trans>
          </a>
          <a className="button" href={meetingPaths.add(id)}>
            <Trans>Add session</Trans>
          </a>
          {!areWeeksFull(cohort, weeks) && (
            <a className="button button-primary" href={meetingPaths.addWeekly(id)}>
              <Trans>Add weekly sessions</Trans>
            </a>
          )}
        </div>
      </div>
      {children}
      <div className="weeks-list">
        {weeks.map((week, index) => (
          <WeekSection
            key={week.meetings[0]?.id ?? week.from}
            cohort={cohort}
            week={week}
            last={weeks
              .slice(0, index)
              .flatMap(({ meetings }) => meetings)
              .at(-1)}
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
  const { number, from, to, change, meetings, daysOff } = week;
  const [first] = meetings;
  const headingId = `week-${first?.id ?? from}`;
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
      <section aria-labelledby={headingId} className="week grid border-t border-line last:border-b">
        <h3 id={headingId} className="text-sm/5">
          {number === null ? <Trans>Outside the cohort’s days</Trans> : <Trans>Week {nth}</Trans>}{' '}
          <small
            className={
              number === null ? 'text-sm font-normal text-muted @min-[44rem]:block' : 'sr-only'
            }
          >
            {daySpan(from, to, i18n.locale)}
          </small>
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
                <DaysOff cohort={cohort} days={offBetween(daysOff, before, meeting)} />
                <Row cohort={cohort} meeting={meeting} />
              </Fragment>
            );
          })}
          <DaysOff cohort={cohort} days={offBetween(daysOff, meetings.at(-1), undefined)} />
        </ol>
      </section>
    </>
  );
}

/** The days off from one session to the next one, or to the end of the week. */
function offBetween(days: Week['daysOff'], from: Meeting | undefined, to: Meeting | undefined) {
  return days.filter(
    ({ from: day }) =>
      (from === undefined || day >= dayOfWallTime(from.starts_local)) &&
      (to === undefined || day < dayOfWallTime(to.starts_local)),
  );
}

function DaysOff({ cohort, days }: { cohort: OwnCohort; days: Week['daysOff'] }) {
  const { i18n, t } = useLingui();
  return days.map((span) => (
    <li key={span.from} className="meeting-row min-h-14 py-1 text-muted">
      <WithoutClass span={span} />
      <a
        className="button button-quiet button-menu no-print col-start-3 row-start-1 @min-[30rem]:col-start-4"
        href={meetingPaths.table(cohort.id)}
        aria-label={`${t`Edit as a table`}, ${longDay(span.from, i18n.locale)}`}
      >
        <span className="icon icon-more" />
      </a>
    </li>
  ));
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
    <p className="notice clock-change icon-before icon-clock my-3 flex gap-3 border-l-0 bg-warn-wash py-2.5 text-[0.875rem] text-warn">
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
  const { title, starts_local: startsLocal, status, warnings, place, note } = meeting;
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
        {note !== null && (
          <span className="text-muted max-w-full truncate" dir="auto">
            <LinkedText text={note.split('\n')[0] ?? ''} />
          </span>
        )}
        {place !== null && (
          <span className="text-muted" dir="auto">
            <LinkedText text={place} />
          </span>
        )}
        {!meeting.is_announced && (
          <span className="chip bg-warn-wash text-warn before:size-2 before:bg-current before:content-['']">
            {/* One box, so that the words wrap as one text. */}
            <span>
              <ChangeWords meeting={meeting} />
            </span>
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
      {!isCancelled && <RowMenu cohort={cohort} meeting={meeting} />}
    </li>
  );
}

/** How a session differs from what people know. */
export function ChangeWords({ meeting }: { meeting: Meeting }) {
  const { i18n } = useLingui();
  const { announced_local: known, starts_local: now, status } = meeting;
  if (status === 'cancelled') {
    return <Trans>Canceled · not announced</Trans>;
  }
  if (known === null) {
    return <Trans>New · not announced</Trans>;
  }
  const before = dayOfWallTime(known);
  const day = <span>{shortDay(before, i18n.locale)}</span>;
  return before === dayOfWallTime(now) ? (
    <Trans>Changed · not announced</Trans>
  ) : (
    <Trans>Moved from {day} · not announced</Trans>
  );
}

function RowMenu({ cohort, meeting }: { cohort: OwnCohort; meeting: Meeting }) {
  const { i18n, t } = useLingui();
  const { id, starts_local: startsLocal } = meeting;
  const menuId = `menu-${id}`;
  const page = meetingPaths.page(cohort.id, id);
  const day = longDay(dayOfWallTime(startsLocal), i18n.locale);
  const isKept = cohort.published_at !== null && meeting.status === 'coming';
  return (
    <div className="meeting-menu no-print col-start-3 row-start-1 @min-[30rem]:col-start-4">
      <MoreMenu
        id={menuId}
        label={t`More actions, ${day}`}
        className="button button-quiet button-menu"
      >
        <a className="menu-item" href={page}>
          <Trans>Edit session</Trans>
        </a>
        <a className="menu-item" href={`${page}#starts_local`}>
          <Trans>Move to another day</Trans>
        </a>
        <ChangeButton
          path={meetingPaths.ofCohort(cohort.id)}
          call={{ input: copyOf(meeting) }}
          className="menu-item"
          pendingLabel={t`One moment…`}
          done={t`Session duplicated, a week later.`}
        >
          <Trans>Duplicate</Trans>
        </ChangeButton>
        <a className="menu-item menu-last" href={meetingPaths.table(cohort.id, id)}>
          <Trans>No class this week</Trans>
        </a>
        <a className="menu-item text-danger" href={`${page}#cancel`}>
          {isKept ? <Trans>Cancel session</Trans> : <Trans>Delete session</Trans>}
        </a>
      </MoreMenu>
    </div>
  );
}

/** The same session a week later. */
function copyOf(meeting: Meeting) {
  const copied = ['title', 'duration_minutes', 'place', 'join_url', 'note', 'public_line'] as const;
  return { ...pick(meeting, copied), starts_local: shiftWallTime(meeting.starts_local, 7) };
}
