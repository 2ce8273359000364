'use client';

import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef } from 'react';
import { characterCount } from '#lib/text.ts';
import { isDay } from '#lib/time/calendar.ts';
import { longDay, shortDay, weekdayOf } from '#lib/time/words.ts';
import { FieldMessage, FormContext } from '#ui/form.tsx';
import { showToast } from '#ui/toast.tsx';
import { addedRow, fillDown, rowsIn, type SheetRow, sorted } from './session-rows.ts';
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
  locale: string;
  texts: SheetTexts;
  /** Above the sheet, before its buttons. */
  children: ReactNode;
};

const most = { title: 120, line: 200, reason: 120 };

/**
 * Sessions and days off as a table in which one types. Its field, `sessions`, contains all rows, so
 * that the form sends them and a draft of the page keeps them.
 */
export function SessionSheet(props: SessionSheetProps) {
  const { rows, stored, onRows, isTyped, next, locale, texts, children } = props;
  const { errorOf } = useContext(FormContext);
  const tableRef = useRef<HTMLTableElement>(null);
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const value = JSON.stringify(rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what looks at the form has to look again
  useEffect(() => {
    fieldRef.current?.dispatchEvent(new Event('input', { bubbles: true }));
  }, [value]);

  function paste(key: string, column: 'title' | 'line', text: string): void {
    const { rows: filledRows, filled, left } = fillDown(rows, key, column, text);
    const before = rows;
    onRows(() => filledRows);
    const said = (filled === 1 ? texts.filledOne : texts.filled).replace('#', String(filled));
    const more = left === 0 ? '' : ` ${texts.left.replace('#', String(left))}`;
    showToast(`${said}${more}`, 'done', { label: texts.undo, run: () => onRows(() => before) });
  }

  async function pasteFirst(): Promise<void> {
    const first = rows.find(({ isOff }) => !isOff);
    // Browsers may not let a page read it: then one pastes where the focus is.
    const text = await navigator.clipboard?.readText().catch(() => '');
    if (first !== undefined && text) {
      paste(first.key, 'title', text);
    }
    cellsOf('title')[0]?.focus();
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

  const change = (key: string, changed: Partial<SheetRow>) =>
    onRows((all) => all.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  return (
    <div className="session-sheet-frame" data-unsaved={isTyped || undefined}>
      <div className="session-sheet-head">
        <div>{children}</div>
        <div className="actions">
          {rows.length > 0 && (
            <button type="button" className="button button-quiet" onClick={pasteFirst}>
              {texts.paste}
            </button>
          )}
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
              {rows.map((row) => (
                <Row
                  key={row.key}
                  row={row}
                  isChanged={stored !== undefined && !isStored(stored, row)}
                  locale={locale}
                  texts={texts}
                  onChange={(changed) => change(row.key, changed)}
                  onRemove={() => onRows((all) => all.filter(({ key }) => key !== row.key))}
                  onDated={() => onRows(sorted)}
                  onKeyDown={move}
                  onPaste={(column, text) => paste(row.key, column, text)}
                />
              ))}
            </tbody>
          </table>
          <p className="hint">{texts.hint}</p>
        </>
      )}
      <FieldMessage
        id="sessions-error"
        error={errorOf('meetings') ?? errorOf('days_off')}
        note={null}
      />
    </div>
  );
}

function isStored(stored: SheetRow[], row: SheetRow): boolean {
  return stored.some((one) => JSON.stringify(one) === JSON.stringify(row));
}

type RowProps = {
  row: SheetRow;
  isChanged: boolean;
  locale: string;
  texts: SheetTexts;
  onChange: (changed: Partial<SheetRow>) => void;
  onRemove: () => void;
  onDated: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onPaste: (column: 'title' | 'line', text: string) => void;
};

function Row({
  row,
  isChanged,
  locale,
  texts,
  onChange,
  onRemove,
  onDated,
  onKeyDown,
  onPaste,
}: RowProps) {
  const { key, day, title, line, isOff, reason, isAdded } = row;
  const said = isDay(day) ? longDay(day, locale) : texts.dateOfAdded;
  const errors = isOff
    ? { reason: characterCount(reason.trim()) > most.reason && texts.reasonTooLong }
    : {
        title: characterCount(title.trim()) > most.title && texts.titleTooLong,
        line: characterCount(line.trim()) > most.line && texts.lineTooLong,
      };
  const wrong = Object.entries(errors).filter(([, error]) => error);
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
      if (/[\r\n]/.test(text.trim())) {
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
              <span className="font-serif font-semibold">{shortDay(day, locale)}</span>{' '}
              <small>{weekdayOf(day, locale, 'short')}</small>
            </>
          )}
        </th>
        {isOff ? (
          <td colSpan={2} className="session-sheet-off">
            <span aria-hidden="true">{texts.noClassColon}</span>
            <input {...cell('reason', texts.reasonOf, 'title')} />
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
      {wrong.map(([name, error]) => (
        <tr key={name} className="session-sheet-error">
          <td colSpan={4} id={`${key}-${name}-error`} className="field-error">
            {error}
          </td>
        </tr>
      ))}
    </>
  );
}
