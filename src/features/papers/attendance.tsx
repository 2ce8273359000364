import { Plural, useLingui } from '@lingui/react/macro';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import type { Meeting } from '#features/meetings/schema.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { clockTime, dayOfYear, dayParts } from '#lib/time/words.ts';
import { PrintStyles } from '#ui/print.tsx';

type SheetsProps = {
  /** Of the cohort. */
  name: string;
  people: { id: string; name: string }[];
  meetings: Meeting[];
};

/** As many columns as a sheet of paper has room for. */
const columnsOfSheet = 10;

/** Attendance, to be ticked on paper: sheets of a few sessions each. No screen shows them. */
export function AttendanceSheets({ name, people, meetings }: SheetsProps) {
  const { t } = useLingui();
  const sheets = Array.from({ length: Math.ceil(meetings.length / columnsOfSheet) }, (_, index) =>
    meetings.slice(index * columnsOfSheet, (index + 1) * columnsOfSheet),
  );
  return (
    <>
      <PrintStyles />
      {sheets.map((columns, index) => (
        <section key={columns[0]?.id} className="sheet" aria-label={t`Sheet ${index + 1}`}>
          <Sheet name={name} people={people} columns={columns} />
        </section>
      ))}
    </>
  );
}

type SheetProps = Pick<SheetsProps, 'name' | 'people'> & { columns: Meeting[] };

function Sheet({ name, people, columns }: SheetProps) {
  const { i18n } = useLingui();
  const { locale } = i18n;
  // The same in each row, so that the page has them once.
  const cells = columns.map(({ id }) => <td key={id} />);
  return (
    <table>
      <caption className="pb-3 text-start font-serif text-[1.375rem]/7 font-semibold">
        <bdi>{name}</bdi>
      </caption>
      <thead className="align-top">
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
                <span className="block">{clockTime(startsLocal, locale)}</span>
                <span className="block" dir="auto">
                  {title}
                </span>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id}>
            <th scope="row" className="font-medium" dir="auto">
              {person.name}
            </th>
            {cells}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
