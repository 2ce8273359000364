import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import { meetingPaths } from '#features/meetings/meeting-paths.ts';
import type { Meeting } from '#features/meetings/schema.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { clockTime, dayOfYear, dayParts } from '#lib/time/words.ts';
import { Empty } from '#ui/empty.tsx';
import { PrintButton, PrintStyles } from '#ui/print.tsx';

type AttendanceProps = {
  cohort: OwnCohort;
  people: { id: string; name: string }[];
  /** After whom the next page begins; null if there is none. */
  next: string | null;
  isFirst: boolean;
  meetings: Meeting[];
};

/** As many columns as a sheet of paper has room for. */
const columnsOfSheet = 10;

/** Attendance, to be ticked on paper: sheets of a few sessions each. */
export function Attendance({ cohort, people, next, isFirst, meetings }: AttendanceProps) {
  const { t } = useLingui();
  if (people.length === 0 || meetings.length === 0) {
    return (
      <Empty title={t`Nothing to print yet.`}>
        <p>
          <Trans>The sheet lists enrolled people and live sessions. Add them first.</Trans>
        </p>
      </Empty>
    );
  }
  const sheets = Array.from({ length: Math.ceil(meetings.length / columnsOfSheet) }, (_, index) =>
    meetings.slice(index * columnsOfSheet, (index + 1) * columnsOfSheet),
  );
  const shown = <span>{people.length}</span>;
  const all = <span>{cohort.counts.enrolled}</span>;
  return (
    <div className="attendance" data-sentry-mask>
      <PrintStyles />
      <div className="actions">
        <PrintButton className="button button-primary">
          <Trans>Print</Trans>
        </PrintButton>
        {!isFirst && (
          <a className="button" href={meetingPaths.attendance(cohort.id)}>
            <Trans>First 100</Trans>
          </a>
        )}
        {next !== null && (
          <a className="button" href={meetingPaths.attendance(cohort.id, next)}>
            <Trans>Next 100</Trans>
          </a>
        )}
      </div>
      {(!isFirst || next !== null) && (
        <p className="notice no-print">
          <Trans>
            This page has {shown} of {all} people, by name. Print each page.
          </Trans>
        </p>
      )}
      {sheets.map((columns, index) => (
        // Focusable, because it scrolls on a narrow screen.
        <section
          key={columns[0]?.id}
          className="sheet"
          aria-label={t`Sheet ${index + 1}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls by keys
          tabIndex={0}
        >
          <Sheet name={cohort.name} people={people} columns={columns} />
        </section>
      ))}
    </div>
  );
}

type SheetProps = Pick<AttendanceProps, 'people'> & { name: string; columns: Meeting[] };

function Sheet({ name, people, columns }: SheetProps) {
  const { i18n } = useLingui();
  const { locale } = i18n;
  // The same in each row, so that the page has them once.
  const cells = columns.map(({ id }) => <td key={id} />);
  return (
    <table>
      <caption>
        <bdi>{name}</bdi>
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <Plural value={people.length} one="# person" other="# people" />
          </th>
          {columns.map(({ id, title, starts_local: startsLocal }) => {
            const day = dayOfWallTime(startsLocal);
            return (
              <th key={id} scope="col">
                <DayBlock day={day} weekday={dayParts(day, locale).weekday} />
                <span className="sr-only">{`${dayOfYear(day, locale)}, `}</span>
                <span>{clockTime(startsLocal, locale)}</span>
                <span dir="auto">{title}</span>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id}>
            <th scope="row" dir="auto">
              {person.name}
            </th>
            {cells}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
