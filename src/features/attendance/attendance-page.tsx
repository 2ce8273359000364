import { msg, plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import { meetingPaths } from '#features/meetings/meeting-paths.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { numbered } from '#lib/numbered-texts.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { dayIn, dayOfYear } from '#lib/time/words.ts';
import { pick } from '#lib/to-json.ts';
import { paths } from '#paths.ts';
import { Empty } from '#ui/empty.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import { PrintButton } from '#ui/print.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { attendancePaths } from './attendance-paths.ts';
import { AttendanceTable } from './attendance-table.tsx';
import { CompleteForm } from './complete-form.tsx';
import { type AttendanceTable as Found, isOpen } from './find-attendance.ts';
import { presenceTexts } from './presence-texts.ts';
import type { Attended } from './who-attends.ts';

type AttendancePageProps = {
  viewerId: string;
  cohort: OwnCohort;
  attendance: Found;
  now: Date;
  /** The same to be ticked on paper. */
  sheets: ReactNode;
};

/** Who was at which session, to mark, to download and to print; and completing those who were. */
export function AttendancePage(props: AttendancePageProps) {
  const { viewerId, cohort, attendance, now, sheets } = props;
  const { i18n, t } = useLingui();
  const { locale } = i18n;
  const { people, meetings, next, isFirst, counts } = attendance;
  const { id, time_zone: zone } = cohort;
  if (people.length === 0 || meetings.length === 0) {
    return (
      <Empty title={t`No attendance yet.`}>
        <p>
          <Trans>
            Attendance has a row for each enrolled person and a column for each session.
          </Trans>
        </p>
        <a
          className="button"
          href={meetings.length === 0 ? meetingPaths.schedule(id) : paths.roster(id)}
        >
          {meetings.length === 0 ? (
            <Trans>Open the schedule</Trans>
          ) : (
            <Trans>Open the roster</Trans>
          )}
        </a>
      </Empty>
    );
  }
  const over = meetings.filter(({ status }) => status === 'over').length;
  const all = meetings.length;
  // Where the browser puts the numbers in.
  const [attended, sessions] = ['#', '##'];
  return (
    <div className="attendance mt-4 grid grid-cols-1 gap-6" data-sentry-mask>
      <div className="no-print flex flex-wrap items-center justify-between gap-4">
        <div className="flex-[1_1_20rem]">
          <h2>
            {t`${plural(all, {
              one: `${over} of # session is behind you.`,
              other: `${over} of # sessions are behind you.`,
            })}`}
          </h2>
          <p className="text-muted">
            <Trans>Press a mark to change it: present, absent, not marked.</Trans>
          </p>
        </div>
        <div className="actions">
          <PrintButton className="button button-quiet">
            <Trans>Print sheet</Trans>
          </PrintButton>
          <a className="button" href={attendancePaths.file(id)} download>
            <span className="icon icon-download" />
            <Trans>Download CSV</Trans>
          </a>
        </div>
      </div>
      <AttendanceTable
        viewerId={viewerId}
        cohortId={id}
        locale={locale}
        columns={meetings.map((meeting) => {
          const day = dayOfWallTime(meeting.starts_local);
          return {
            id: meeting.id,
            title: meeting.title,
            day: dayOfYear(day, locale),
            startsAt: Date.parse(meeting.starts_at),
            isOpen: isOpen(meeting, now),
            isOver: meeting.status === 'over',
            head: (
              <>
                <DayBlock day={day} />
                <span className="sr-only">{`${dayOfYear(day, locale)}, ${meeting.title}`}</span>
              </>
            ),
          };
        })}
        rows={people.map((person) => {
          const left = person.leftAt === null ? null : dayIn(zone, new Date(person.leftAt));
          const day = left === null ? null : dayOfYear(left, locale);
          return {
            ...pick(person, ['id', 'name', 'leftAt', 'marks']),
            head: (
              <span className="flex min-w-0 items-center gap-3 font-medium">
                <PersonDisc id={person.personId} name={person.name} />
                <span>
                  <a href={paths.participant(id, person.id)}>
                    <bdi>{person.name}</bdi>
                  </a>
                  {day !== null && <small className="ms-1.5 text-muted">{t`left ${day}`}</small>}
                </span>
              </span>
            ),
          };
        })}
        texts={{
          caption: t`Attendance`,
          name: t`Name`,
          attended: t`Attended`,
          of: t`${attended} of ${sessions}`,
          presentRow: t`Present`,
          session: t`Session`,
          states: stateNames(i18n),
          presence: presenceTexts(i18n),
        }}
      />
      <Legend />
      {(!isFirst || next !== null) && (
        <div className="actions no-print">
          {!isFirst && (
            <a className="button" href={meetingPaths.attendance(id)}>
              <Trans>First 100</Trans>
            </a>
          )}
          {next !== null && (
            <a className="button" href={meetingPaths.attendance(id, next)}>
              <Trans>Next 100</Trans>
            </a>
          )}
        </div>
      )}
      {new Date(cohort.starts_at) <= now && (
        <section
          className="card no-print flex flex-wrap items-center justify-between gap-x-8 gap-y-4"
          aria-labelledby="complete"
        >
          <div className="flex-[1_1_18rem]">
            <h3 id="complete">
              <Trans>Complete everyone who attended enough</Trans>
            </h3>
            <p className="hint">
              <CompletionHint cohort={cohort} now={now} />
            </p>
          </div>
          <CompleteForm
            cohortId={id}
            counts={counts}
            sessions={all}
            isOver={new Date(cohort.ends_at) <= now}
            locale={locale}
            texts={{
              atLeast: t`At least`,
              of: t`of ${all}`,
              early: t`Complete them now, before the last day`,
              complete: numbered((n) =>
                i18n._(msg`${plural(n, { one: 'Complete # person', other: 'Complete # people' })}`),
              ),
              completing: t`Completing…`,
              done: t`Marked as completed.`,
            }}
          />
        </section>
      )}
      <div className="only-print hidden">{sheets}</div>
    </div>
  );
}

function CompletionHint({ cohort, now }: Pick<AttendancePageProps, 'cohort' | 'now'>) {
  const { i18n } = useLingui();
  const day = <span>{dayOfYear(cohort.ends_on, i18n.locale)}</span>;
  return new Date(cohort.ends_at) <= now ? (
    <Trans>Each person can then get a certificate with the hours from this table.</Trans>
  ) : (
    <Trans>
      From {day} on. Each person can then get a certificate with the hours from this table.
    </Trans>
  );
}

type I18n = ReturnType<typeof useLingui>['i18n'];

function stateNames(i18n: I18n) {
  return {
    present: i18n._(msg`present`),
    absent: i18n._(msg`absent`),
    open: i18n._(msg`not marked`),
    coming: i18n._(msg`still to come`),
    left: i18n._(msg`left before`),
  };
}

/** What the marks mean. */
function Legend() {
  const { i18n } = useLingui();
  const { left: _left, ...names } = stateNames(i18n);
  return (
    <ul className="attendance-legend no-print">
      {Object.entries(names).map(([state, name]) => (
        <li key={state} className="flex items-center gap-2">
          <span className="attendance-mark" data-state={state} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}

type OwnAttendanceProps = { cohortId: string; attended: Attended };

/** How many sessions someone has attended, on their page; nothing before the first is over. */
export function OwnAttendance({ cohortId, attended }: OwnAttendanceProps) {
  const { i18n, t } = useLingui();
  const { sessions, isMarked, attended: present } = attended;
  if (sessions === 0 || !isMarked) {
    return null;
  }
  const words = msg`${plural(sessions, {
    one: `Attended ${present} of # live session so far.`,
    other: `Attended ${present} of # live sessions so far.`,
  })}`;
  return (
    <SettingsSection id="person-attendance" title={t`Attendance`} description={t`In this cohort.`}>
      <p>
        {i18n._(words)}{' '}
        <a className="link" href={meetingPaths.attendance(cohortId)}>
          <Trans>See attendance</Trans>
        </a>
      </p>
    </SettingsSection>
  );
}
