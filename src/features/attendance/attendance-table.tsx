'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useRefresh } from '#router/use-load-page.ts';
import { type OfViewer, useMarks } from './use-marks.ts';
import { PresenceList, type PresenceTexts, Unsent } from './who-is-here.tsx';

type TableColumn = {
  id: string;
  title: string;
  /** The day as it is read out: January 25. */
  day: string;
  head: ReactNode;
  /** Milliseconds. */
  startsAt: number;
  isOpen: boolean;
  isOver: boolean;
};

type TableRow = {
  id: string;
  name: string;
  head: ReactNode;
  leftAt: number | null;
  marks: Record<string, boolean>;
};

type AttendanceTableProps = OfViewer & {
  columns: TableColumn[];
  rows: TableRow[];
  locale: string;
  texts: {
    caption: string;
    name: string;
    attended: string;
    /** With `#` for the first number and `##` for the second. */
    of: string;
    presentRow: string;
    session: string;
    states: Record<State, string>;
    presence: PresenceTexts;
  };
};

type State = 'present' | 'absent' | 'open' | 'coming' | 'left';

/** Present, absent, not marked, and again. */
const next = new Map<boolean | null, boolean | null>([
  [null, true],
  [true, false],
  [false, null],
]);

/** Who was at which session. It scrolls within itself; the names stay. */
export function AttendanceTable(props: AttendanceTableProps) {
  const { columns, rows, locale, texts } = props;
  const open = columns.filter(({ isOpen }) => isOpen);
  const [sessionId, setSessionId] = useState<string>();
  // On phones, one at a time, at first the last one.
  const session = open.find(({ id }) => id === sessionId) ?? open.at(-1);
  const marks = useMarks(
    props,
    open.map(({ id }) => id),
    Object.fromEntries(
      columns.map(({ id }) => [
        id,
        Object.fromEntries(
          rows.flatMap((row) => (id in row.marks ? [[row.id, row.marks[id] ?? null]] : [])),
        ),
      ]),
    ),
  );
  const refresh = useRefresh();
  const { sent, unsent } = marks;
  // What the page counts, once nothing more is pressed.
  useEffect(() => {
    const timer = sent > 0 && unsent === 0 ? setTimeout(() => void refresh(), 1_500) : undefined;
    return () => clearTimeout(timer);
  }, [sent, unsent, refresh]);
  const stateOf = (column: TableColumn, row: TableRow): State => {
    const mark = marks.markOf(column.id, row.id);
    if (row.leftAt !== null && row.leftAt <= column.startsAt) {
      return 'left';
    }
    if (!column.isOpen) {
      return 'coming';
    }
    return mark === null ? 'open' : mark ? 'present' : 'absent';
  };
  return (
    <>
      <div className="attendance-wide no-print">
        <Unsent marks={marks} text={texts.presence.unsent} locale={locale} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls by keys */}
        <section className="attendance-table" aria-label={texts.caption} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.name}</th>
                {columns.map(({ id, head, isOpen }) => (
                  <th key={id} scope="col" data-coming={!isOpen || undefined}>
                    {head}
                  </th>
                ))}
                <th scope="col">{texts.attended}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const states = columns.map((column) => stateOf(column, row));
                const attended = states.filter((state) => state === 'present').length;
                const counted = states.filter(
                  (state, index) =>
                    state !== 'left' && (state === 'present' || columns[index]?.isOver),
                ).length;
                return (
                  <tr key={row.id}>
                    <th scope="row">{row.head}</th>
                    {columns.map((column, index) => {
                      const state = states[index] ?? 'coming';
                      const label = `${row.name}, ${column.day}: ${texts.states[state]}`;
                      return (
                        <td key={column.id}>
                          {state === 'left' || state === 'coming' ? (
                            <span className="attendance-mark" data-state={state}>
                              <span className="sr-only">{texts.states[state]}</span>
                            </span>
                          ) : (
                            <button
                              type="button"
                              className="attendance-mark"
                              data-state={state}
                              onClick={() => {
                                const mark = marks.markOf(column.id, row.id);
                                marks.mark(column.id, { [row.id]: next.get(mark) ?? null });
                              }}
                            >
                              <span className="sr-only">{label}</span>
                            </button>
                          )}
                        </td>
                      );
                    })}
                    <td>
                      {texts.of
                        .replace('##', counted.toLocaleString(locale))
                        .replace('#', attended.toLocaleString(locale))}
                    </td>
                  </tr>
                );
              })}
            </tbody>
            <tfoot className="text-muted">
              <tr>
                <th scope="row">{texts.presentRow}</th>
                {columns.map((column) => (
                  <td key={column.id}>
                    {column.isOpen &&
                      rows
                        .filter((row) => stateOf(column, row) === 'present')
                        .length.toLocaleString(locale)}
                  </td>
                ))}
                <td />
              </tr>
            </tfoot>
          </table>
        </section>
      </div>
      {session !== undefined && (
        <div className="attendance-narrow no-print">
          <PresenceList
            marks={marks}
            meetingId={session.id}
            people={rows.filter(({ leftAt }) => leftAt === null || leftAt > session.startsAt)}
            locale={locale}
            texts={texts.presence}
            title={
              <select
                className="input"
                aria-label={texts.session}
                value={session.id}
                onChange={({ target }) => setSessionId(target.value)}
              >
                {open.map(({ id, day, title }) => (
                  <option key={id} value={id}>{`${day} · ${title}`}</option>
                ))}
              </select>
            }
          />
        </div>
      )}
    </>
  );
}
