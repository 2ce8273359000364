'use client';

import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { withNumber } from '#lib/numbered-texts.ts';
import { type DayOffSpan, isDay, spansOf } from '#lib/time/calendar.ts';
import { daySpan, longDay, shortDay, weekdayOf } from '#lib/time/words.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { FormContext } from '#ui/form.tsx';
import { PasteDialog, type Pasted, pasteDialogId } from './paste-dialog.tsx';
import {
  addedRow,
  endLater,
  fallenAway,
  rowsIn,
  type SheetRow,
  sorted,
  wrongTexts,
} from './session-rows.ts';
import type { SheetTexts } from './sheet-texts.ts';

type SessionSheetProps = {
  rows: SheetRow[];
  /** What is stored of them, to mark what differs. */
  stored?: SheetRow[];
  /** Replaces rows, by what they are now. */
  onRows: (change: (rows: SheetRow[]) => SheetRow[]) => void;
  /** Whether something would be lost. */
  isTyped: boolean;
  /** The day and time of a row that is added. */
  next: () => { day: string; time: SheetRow['time'] };
  /** The first and the last day of the cohort, as they are now. */
  days: () => { from: string; to: string };
  /** Moves the last day, where that can be changed. */
  onLastDay?: (day: string) => void;
  locale: string;
  texts: SheetTexts;
  /** Above the sheet, before its buttons. */
  children: ReactNode;
};

// One column where it is narrow, a table otherwise.
const looks = {
  row: 'grid grid-cols-[minmax(0,1fr)_auto] gap-2 border-line border-t p-3 first:border-t-0 data-off:bg-board data-off:text-muted data-changed:shadow-[inset_3px_0_0_var(--color-warn)] @min-[45rem]:grid-cols-[7.5rem_minmax(0,41fr)_minmax(0,37fr)_5.25rem] @min-[45rem]:gap-0 @min-[45rem]:p-0',
  cell: 'flex min-w-0 items-center gap-1.5 text-start font-normal',
  edge: 'border-line @min-[45rem]:border-s',
  wide: 'col-span-full border-line @min-[45rem]:col-span-1 @min-[45rem]:border-s',
  input:
    'min-h-11 w-full min-w-0 text-ellipsis rounded-control border-1 border-edge px-3 py-2 hover:bg-tint focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent aria-invalid:outline-2 aria-invalid:-outline-offset-2 aria-invalid:outline-danger @min-[45rem]:h-11 @min-[45rem]:rounded-none @min-[45rem]:border-0 @min-[45rem]:px-3.5 @min-[45rem]:placeholder:text-transparent',
  line: '@min-[45rem]:not-focus:text-muted',
};

/**
 * Sessions and days off as a table in which one types. Its field, `sessions`, contains all rows, so
 * that the form sends them and a draft of the page keeps them.
 */
export function SessionSheet(props: SessionSheetProps) {
  const { rows, stored, onRows, isTyped, next, days, onLastDay, locale, texts, children } = props;
  const { errorOf } = useContext(FormContext);
  const tableRef = useRef<HTMLTableElement>(null);
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const [pasted, setPasted] = useState<Pasted>({ text: '' });
  const [edited, setEdited] = useState<DayOffSpan | null>(null);
  const value = JSON.stringify(rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what looks at the form has to look again
  useEffect(() => {
    fieldRef.current?.dispatchEvent(new Event('input', { bubbles: true }));
  }, [value]);

  const wrong = firstWrong(rows, locale, texts);
  const fallen = fallenAway(rows).length;
  const later = fallen === 0 ? rows : endLater(rows);
  const lastDay = later.findLast(({ isAdded }) => !isAdded)?.day;
  const error = errorOf('meetings') ?? errorOf('days_off');
  // While one types a reason, its days do not join others with the same.
  const isEdited = ({ day }: SheetRow) => edited !== null && day >= edited.from && day <= edited.to;
  const spans = spansOf(
    rows.flatMap((row) =>
      row.isOff ? { on_date: row.day, reason: `${row.reason}${isEdited(row) ? '\n' : ''}` } : [],
    ),
    rows.flatMap(({ isOff, day }) => (isOff ? [] : day)),
  );
  const spanOf = ({ day, isOff }: SheetRow) =>
    isOff ? spans.find(({ from, to }) => day >= from && day <= to) : undefined;
  const shown = rows.filter((row) => (spanOf(row)?.from ?? row.day) === row.day);

  function openPasted(text: string, at?: Pasted['at']): void {
    setPasted({ text, at });
    // The dialog of this component.
    (document.getElementById(pasteDialogId) as HTMLDialogElement | null)?.showModal();
  }

  /** Changes a row, or all days of a span. */
  function change(row: SheetRow, changed: Partial<SheetRow>): void {
    const span = spanOf(row);
    onRows((all) =>
      all.map((one) =>
        one.key === row.key || (span && one.isOff && one.day >= span.from && one.day <= span.to)
          ? { ...one, ...changed }
          : one,
      ),
    );
  }

  function changeLastDay({ day, reason }: SheetRow, to: string): void {
    const span = spans.find(({ from }) => from === day);
    onRows((all) =>
      all.map((one) => {
        const isIn = one.day >= day && one.day <= to;
        const wasIn = one.day >= day && one.day <= (span?.to ?? day);
        return isIn || wasIn ? { ...one, isOff: isIn, reason: isIn ? reason : '' } : one;
      }),
    );
  }

  function cellsOf(column: string): HTMLInputElement[] {
    return [
      ...(tableRef.current?.querySelectorAll<HTMLInputElement>(`[data-cell="${column}"]`) ?? []),
    ];
  }

  /** Enter and the arrows go to another row instead of sending the form. */
  function move(event: KeyboardEvent<HTMLInputElement>): void {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const cell = event.currentTarget;
    if (step === undefined || event.nativeEvent.isComposing) {
      return;
    }
    event.preventDefault();
    const cells = cellsOf(cell.dataset['cell'] ?? '');
    cells[cells.indexOf(cell) + step]?.focus();
  }

  return (
    <div className="@container [position:relative]" data-unsaved={isTyped || undefined}>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 [&_b]:font-semibold [&_b]:text-ink">
        <div>{children}</div>
        <div className="actions">
          <OpenButton
            dialogId={pasteDialogId}
            className="button button-quiet"
            onClick={async () => {
              // Browsers may not let a page read it: then one pastes it into the dialog.
              const text = await navigator.clipboard?.readText().catch(() => '');
              setPasted((before) => (before.text === '' && text ? { text } : before));
            }}
          >
            {texts.paste}
          </OpenButton>
          <button
            type="button"
            className="button button-quiet icon-before icon-plus"
            onClick={() => {
              const { day, time } = next();
              onRows((all) => sorted([...all, addedRow(day, time)]));
            }}
          >
            {texts.add}
          </button>
        </div>
      </div>
      <textarea
        ref={fieldRef}
        name="sessions"
        className="sr-only"
        aria-hidden="true"
        tabIndex={-1}
        value={value}
        onChange={({ target }) => {
          // Now: React may restore the field before it asks for the rows.
          const filled = rowsIn(target.value);
          onRows(() => filled);
        }}
      />
      {rows.length > 0 && (
        <>
          <table
            ref={tableRef}
            className="session-sheet mb-2 block overflow-hidden rounded-control border-1 border-edge bg-surface"
          >
            <thead className="hidden bg-tint text-[0.8125rem] text-muted @min-[45rem]:block">
              <tr className={looks.row}>
                {[texts.date, texts.title, texts.line].map((head) => (
                  <th key={head} scope="col" className={`${looks.cell} h-9 px-3.5`}>
                    {head}
                  </th>
                ))}
                <th scope="col" className={`${looks.cell} h-9 justify-center px-1`}>
                  {texts.noClass}
                </th>
              </tr>
            </thead>
            <tbody className="block">
              {shown.map((row) => (
                <Row
                  key={row.key}
                  row={row}
                  span={spanOf(row)}
                  following={rows.filter(({ day }) => day > row.day).map(({ day }) => day)}
                  isChanged={stored !== undefined && !isStored(stored, row)}
                  isUndated={error !== undefined && !isDay(row.day)}
                  locale={locale}
                  texts={texts}
                  onChange={(changed) => change(row, changed)}
                  onLastDay={(to) => changeLastDay(row, to)}
                  onEdit={setEdited}
                  onRemove={() => onRows((all) => all.filter(({ key }) => key !== row.key))}
                  onDated={() => onRows(sorted)}
                  onKeyDown={move}
                  onPaste={(column, text) => openPasted(text, { key: row.key, column })}
                />
              ))}
            </tbody>
          </table>
          <p className="hint">{texts.hint}</p>
        </>
      )}
      {fallen > 0 && lastDay && (
        <p className="notice mt-3 flex flex-wrap items-center gap-x-4">
          {withNumber(texts.counts.fallen, fallen, locale)}
          <button
            type="button"
            className="link"
            onClick={() => {
              onRows(endLater);
              onLastDay?.(lastDay);
            }}
          >
            {texts.endLater.replace('#', shortDay(lastDay, locale))}
          </button>
        </p>
      )}
      {error !== undefined && (
        <p className="field-error">
          {wrong === undefined ? (
            error
          ) : (
            <button
              type="button"
              className="link"
              onClick={() =>
                tableRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
              }
            >
              {wrong}
            </button>
          )}
        </p>
      )}
      <PasteDialog
        pasted={pasted}
        onPasted={setPasted}
        rows={rows}
        onRows={onRows}
        days={days}
        locale={locale}
        texts={texts}
      />
    </div>
  );
}

/** What is wrong with the first row of which something is, by its number or its day. */
function firstWrong(rows: SheetRow[], locale: string, texts: SheetTexts): string | undefined {
  const row = rows.find((one) => !isDay(one.day) || wrongTexts(one).length > 0);
  if (row === undefined) {
    return undefined;
  }
  const number = rows.filter(({ isOff }) => !isOff).indexOf(row) + 1;
  const [[, why] = ['day', 'dateRequired'] as const] = wrongTexts(row);
  return number === 0
    ? `${longDay(row.day, locale)}: ${texts[why]}`
    : `${texts.session.replace('#', String(number))} ${texts[why]}`;
}

function isStored(stored: SheetRow[], row: SheetRow): boolean {
  return stored.some((one) => JSON.stringify(one) === JSON.stringify(row));
}

type RowProps = {
  row: SheetRow;
  /** The days off of which it is the first. */
  span: DayOffSpan | undefined;
  /** The days after it, one of which can be the last day off. */
  following: string[];
  isChanged: boolean;
  isUndated: boolean;
  locale: string;
  texts: SheetTexts;
  onChange: (changed: Partial<SheetRow>) => void;
  onLastDay: (to: string) => void;
  onEdit: (span: DayOffSpan | null) => void;
  onRemove: () => void;
  onDated: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onPaste: (column: 'title' | 'line', text: string) => void;
};

function Row(props: RowProps) {
  const { row, span, following, isChanged, isUndated, locale, texts } = props;
  const { onChange, onLastDay, onEdit, onRemove, onDated, onKeyDown, onPaste } = props;
  const { key, day, isOff, isAdded } = row;
  const said = isDay(day) ? longDay(day, locale) : texts.dateOfAdded;
  const wrong = wrongTexts(row);
  const cell = (name: 'title' | 'line' | 'reason', label: string, column: 'title' | 'line') => ({
    type: 'text',
    className: `${looks.input} ${name === 'line' ? looks.line : ''}`,
    dir: 'auto' as const,
    autoComplete: 'off',
    value: row[name],
    'data-cell': column,
    'aria-label': label.replace('#', said),
    'aria-invalid': wrong.some(([wrongName]) => wrongName === name) || undefined,
    'aria-describedby': wrong.some(([wrongName]) => wrongName === name)
      ? `${key}-${name}-error`
      : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.value }),
    onKeyDown,
  });
  const pasting = (column: 'title' | 'line') => ({
    onPaste: (event: React.ClipboardEvent) => {
      const text = event.clipboardData.getData('text');
      if (/[\r\n\t]/.test(text.trim())) {
        event.preventDefault();
        onPaste(column, text);
      }
    },
  });
  return (
    <>
      <tr
        className={`${looks.row} @min-[45rem]:min-h-11`}
        data-off={isOff || undefined}
        data-changed={isChanged || undefined}
      >
        <th
          scope="row"
          className={`${looks.cell} whitespace-nowrap ${isAdded ? '' : '@min-[45rem]:ps-3.5 @min-[45rem]:pe-1.5'}`}
        >
          {isAdded ? (
            <span className="flex min-w-0 items-center">
              <input
                className={`${looks.input} @min-[45rem]:ps-2 @min-[45rem]:pe-0 @min-[45rem]:text-[0.8125rem]`}
                type="date"
                value={day}
                aria-invalid={isUndated || undefined}
                min="2000-01-01"
                max="2100-12-31"
                aria-label={texts.dateOfAdded}
                onChange={({ target }) => onChange({ day: target.value })}
                onBlur={onDated}
              />
              <button
                type="button"
                className="icon-button w-7 flex-none"
                aria-label={texts.remove.replace('#', said)}
                onClick={onRemove}
              >
                <span className="icon icon-close" />
              </button>
            </span>
          ) : (
            <>
              <span className="font-serif leading-5 font-semibold whitespace-normal">
                {daySpan(day, span?.to ?? day, locale, 'short')}
              </span>{' '}
              {(span?.to ?? day) === day && (
                <small className="text-[0.8125rem] text-muted">
                  {weekdayOf(day, locale, 'short')}
                </small>
              )}
            </>
          )}
        </th>
        {isOff ? (
          <td
            colSpan={2}
            className={`${looks.cell} ${looks.wide} flex-wrap whitespace-nowrap @min-[45rem]:col-span-2 @min-[45rem]:ps-3.5`}
          >
            <span aria-hidden="true">{texts.noClassColon}</span>
            <input
              {...cell('reason', texts.reasonOf, 'title')}
              className={`${looks.input} flex-[1_1_9rem] @min-[45rem]:ps-1`}
              onFocus={() => onEdit(span ?? null)}
              onBlur={() => onEdit(null)}
            />
            {following.length > 0 && (
              <label>
                <span aria-hidden="true">{texts.until}</span>
                <select
                  className="bg-transparent text-sm"
                  aria-label={texts.lastDayOf.replace('#', said)}
                  value={span?.to}
                  onChange={({ target }) => onLastDay(target.value)}
                >
                  {[day, ...following].map((one) => (
                    <option key={one} value={one}>
                      {`${weekdayOf(one, locale, 'short')} ${shortDay(one, locale)}`}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </td>
        ) : (
          <>
            <td className={`${looks.cell} ${looks.wide}`}>
              <input
                {...cell('title', texts.titleOf, 'title')}
                placeholder={texts.title}
                {...pasting('title')}
              />
            </td>
            <td className={`${looks.cell} ${looks.wide}`}>
              <input
                {...cell('line', texts.lineOf, 'line')}
                placeholder={texts.line}
                {...pasting('line')}
              />
            </td>
          </>
        )}
        <td
          className={`${looks.cell} ${looks.edge} col-start-2 row-start-1 @min-[45rem]:col-start-4 @min-[45rem]:justify-center`}
        >
          <label className="flex min-h-11 items-center justify-center gap-2 text-[0.8125rem] @min-[45rem]:w-full">
            <input
              // After a refusal, React resets boxes to their first state.
              ref={(box) => {
                if (box !== null) {
                  box.defaultChecked = isOff;
                }
              }}
              type="checkbox"
              checked={isOff}
              aria-label={texts.noClassOn.replace('#', said)}
              onChange={({ target }) => onChange({ isOff: target.checked })}
            />
            <span aria-hidden="true" className="@min-[45rem]:hidden">
              {texts.noClass}
            </span>
          </label>
        </td>
      </tr>
      {wrong.map(([name, why]) => (
        <tr key={name} className="block px-3 pb-2 @min-[45rem]:ps-[8.375rem]">
          <td colSpan={4} id={`${key}-${name}-error`} className="field-error">
            {texts[why]}
          </td>
        </tr>
      ))}
    </>
  );
}
