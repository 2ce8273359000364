'use client';

import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { withNumber } from '#lib/numbered-texts.ts';
import { isDay } from '#lib/time/calendar.ts';
import { daySpan, longDay, shortDay, weekdayOf } from '#lib/time/words.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { FormContext } from '#ui/form.tsx';
import { PasteDialog, type Pasted, pasteDialogId } from './paste-dialog.tsx';
import {
  addedRow,
  type DayOffSpan,
  endLater,
  fallenAway,
  rowsIn,
  type SheetRow,
  sorted,
  spansOf,
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
    <div className="session-sheet-frame" data-unsaved={isTyped || undefined}>
      <div className="session-sheet-head">
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
          <table ref={tableRef} className="session-sheet">
            <thead>
              <tr>
                <th scope="col">{texts.date}</th>
                <th scope="col">{texts.title}</th>
                <th scope="col">{texts.line}</th>
                <th scope="col">{texts.noClass}</th>
              </tr>
            </thead>
            <tbody>
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
        <p className="notice flex flex-wrap items-center gap-x-4">
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
      <tr data-off={isOff || undefined} data-changed={isChanged || undefined}>
        <th scope="row">
          {isAdded ? (
            <span className="session-sheet-added">
              <input
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
                className="icon-button"
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
              {(span?.to ?? day) === day && <small>{weekdayOf(day, locale, 'short')}</small>}
            </>
          )}
        </th>
        {isOff ? (
          <td colSpan={2} className="session-sheet-off">
            <span aria-hidden="true">{texts.noClassColon}</span>
            <input
              {...cell('reason', texts.reasonOf, 'title')}
              onFocus={() => onEdit(span ?? null)}
              onBlur={() => onEdit(null)}
            />
            {following.length > 0 && (
              <label>
                <span aria-hidden="true">{texts.until}</span>
                <select
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
            <td>
              <input
                {...cell('title', texts.titleOf, 'title')}
                placeholder={texts.title}
                {...pasting('title')}
              />
            </td>
            <td>
              <input
                {...cell('line', texts.lineOf, 'line')}
                placeholder={texts.line}
                {...pasting('line')}
              />
            </td>
          </>
        )}
        <td className="session-sheet-tick">
          <label>
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
            <span aria-hidden="true">{texts.noClass}</span>
          </label>
        </td>
      </tr>
      {wrong.map(([name, why]) => (
        <tr key={name} className="session-sheet-error">
          <td colSpan={4} id={`${key}-${name}-error`} className="field-error">
            {texts[why]}
          </td>
        </tr>
      ))}
    </>
  );
}
