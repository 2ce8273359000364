'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import { withNumber } from '#lib/numbered-texts.ts';
import { daySpan, shortDay, weekdayOf } from '#lib/time/words.ts';
import { CloseButton, closeDialog, Dialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';
import type { Plan, Role, readSyllabus, SyllabusRow } from './read-syllabus.ts';
import { fillRows, type SheetRow } from './session-rows.ts';
import type { SheetTexts } from './sheet-texts.ts';

export const pasteDialogId = 'paste-syllabus';

/** A text, where it was pasted, and what someone says that its columns hold. */
export type Pasted = { text: string; at?: Plan['at']; chosen?: Role[] };

type PasteDialogProps = {
  pasted: Pasted;
  onPasted: (pasted: Pasted) => void;
  /** The rows that it would replace. */
  rows: SheetRow[];
  onRows: (change: (rows: SheetRow[]) => SheetRow[]) => void;
  /** The first and the last day of the cohort, as they are now. */
  days: () => { from: string; to: string };
  locale: string;
  texts: SheetTexts;
};

/** A syllabus as it was pasted, and the sessions that it makes, while it is typed. */
export function PasteDialog(props: PasteDialogProps) {
  const { pasted, onPasted, rows, onRows, days, locale, texts } = props;
  const { text, at, chosen } = pasted;
  const [read, setRead] = useState<typeof readSyllabus | null>(null);
  const hasText = text.trim() !== '';
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  // Not by React, which could write what it rendered last over what is typed meanwhile.
  function showText(): void {
    if (fieldRef.current && fieldRef.current.value !== text) {
      fieldRef.current.value = text;
    }
  }
  useEffect(showText, [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the days are those of the form
  const syllabus = useMemo(() => {
    const today = new Date().toISOString().slice(0, 10);
    return hasText ? read?.(text, { rows, at, ...days(), today, locale }, chosen) : undefined;
  }, [read, text, at, rows, chosen, locale, hasText]);
  const found = syllabus?.rows ?? [];
  const sessions = found.filter(({ isOff }) => !isOff).length;
  const doubts = found.filter(({ doubt }) => doubt !== null);
  const others = doubts.filter(({ doubt }) => doubt === 'otherWeekday').length;
  const count = (name: keyof SheetTexts['counts'], n: number) =>
    withNumber(texts.counts[name], n, locale);
  const counted = (names: [keyof SheetTexts['counts'], number][]) =>
    new Intl.ListFormat(locale).format(names.flatMap(([name, n]) => (n > 0 ? count(name, n) : [])));
  const leftOut = counted([
    ['headings', syllabus?.headings ?? 0],
    ['empty', syllabus?.empty ?? 0],
  ]);
  const said = found.flatMap((row) => row.days);
  const replaced = rows.filter(({ day }) => said.includes(day)).length;

  function use(): void {
    if (syllabus !== undefined) {
      onRows((before) => fillRows(before, syllabus.rows));
      onPasted({ text: '' });
      closeDialog(pasteDialogId);
      const undo = () => {
        onRows(() => rows);
        onPasted(pasted);
      };
      showToast(count('used', sessions), 'done', { label: texts.undo, run: undo });
    }
  }

  return (
    <Dialog id={pasteDialogId} title={texts.pasteTitle} close={texts.close}>
      <div className="pasted grid gap-x-6 gap-y-4 md:h-[min(27rem,100dvh-20rem)] md:grid-cols-[24rem_minmax(0,1fr)]">
        <textarea
          ref={fieldRef}
          className="input min-h-44 resize-none font-mono text-xs/[1.375rem]"
          aria-label={texts.pasted}
          dir="auto"
          spellCheck={false}
          data-transient
          onFocus={() => {
            // A form that was refused has emptied it.
            showText();
            void import('./read-syllabus.ts').then((module) => setRead(() => module.readSyllabus));
          }}
          onChange={({ target, nativeEvent }) => {
            const isNew = 'inputType' in nativeEvent && nativeEvent.inputType === 'insertFromPaste';
            onPasted({ ...(isNew ? { at } : pasted), text: target.value });
          }}
        />
        <section
          className="min-h-44 overflow-auto rounded-control border-1 border-edge"
          aria-label={texts.made}
        >
          {syllabus && (
            <table className="w-full table-fixed text-sm wrap-anywhere max-md:block max-md:*:block">
              <thead>
                <tr className={stacked}>
                  {!syllabus.roles.includes('day') && (
                    <th className={cellOf('day')}>{texts.day}</th>
                  )}
                  {[...syllabus.roles.entries()].map(([index, role]) => (
                    <th key={index} scope="col" className={`${cellOf(role)} bg-tint`}>
                      <select
                        className="min-h-8 w-full bg-transparent font-semibold"
                        aria-label={texts.column.replace('#', String(index + 1))}
                        value={role}
                        onChange={({ target }) => {
                          // The options are roles.
                          const next = syllabus.roles.with(index, target.value as Role);
                          onPasted({ ...pasted, chosen: next });
                        }}
                      >
                        <option value="day">{texts.day}</option>
                        <option value="title">{texts.title}</option>
                        <option value="line">{texts.publicLine}</option>
                        <option value="none">{texts.none}</option>
                      </select>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {[...found.entries()].map(([no, row]) => (
                  <Row key={no} row={row} roles={syllabus.roles} locale={locale} texts={texts} />
                ))}
              </tbody>
            </table>
          )}
        </section>
      </div>
      <p role="status" className="flex flex-wrap gap-x-5 text-sm">
        {syllabus && (
          <>
            <span>
              <strong>{count('sessions', sessions)}</strong>
              {found.length > sessions && `, ${count('spans', found.length - sessions)}`}
            </span>
            {leftOut && <span className="text-muted">{texts.leftOut.replace('#', leftOut)}</span>}
            <span className="font-medium text-warn">
              {counted([
                ['otherWeekday', others],
                ['doubts', doubts.length - others],
              ])}
            </span>
          </>
        )}
      </p>
      <div className="dialog-foot items-center">
        <p className="me-auto text-muted text-sm">
          {replaced > 0 && `${count('replaces', replaced)} ${texts.undoable}`}
        </p>
        <CloseButton dialogId={pasteDialogId}>{texts.cancel}</CloseButton>
        <button
          type="button"
          className="button button-primary"
          disabled={found.length === 0}
          onClick={use}
        >
          {count('use', sessions)}
        </button>
      </div>
    </Dialog>
  );
}

/** On a phone, the cells of a row are below each other. */
const stacked = 'max-md:grid max-md:border-line max-md:border-b';

function cellOf(role: Role): string {
  const width = role === 'day' ? 'md:w-[7.5rem] md:whitespace-nowrap' : '';
  return `border-line px-3 py-1 text-start empty:hidden md:h-11 md:border-s md:border-b md:empty:table-cell ${width}`;
}

type RowProps = { row: SyllabusRow; roles: Role[]; locale: string; texts: SheetTexts };

function Row({ row, roles, locale, texts }: RowProps) {
  const { days, title, line, isOff, cells, doubt } = row;
  const [day = ''] = days;
  const hasDay = roles.includes('day');
  if (isOff) {
    return (
      <tr className={`${stacked} bg-board text-muted`}>
        <td className={cellOf('day')}>{daySpan(day, days.at(-1) ?? day, locale, 'short')}</td>
        <td colSpan={roles.length - Number(hasDay)} className={cellOf('title')}>
          {line ? `${texts.noClassColon} ${line}` : texts.noClass}
        </td>
      </tr>
    );
  }
  const said = day && `${weekdayOf(day, locale, 'short')}, ${shortDay(day, locale)}`;
  const shown = { day: said, title, line };
  const isMuted = (role: Role) => doubt === null && (role === 'line' || role === 'none');
  return (
    <tr className={`${stacked} ${doubt === null ? '' : 'bg-warn-wash text-warn'}`}>
      {!hasDay && <td className={cellOf('day')}>{said}</td>}
      {[...roles.entries()].map(([index, role]) => {
        // Of several columns with one role, the first one shows what they make.
        const isFirst = role !== 'none' && roles.indexOf(role) === index;
        return (
          <td
            key={index}
            className={`${cellOf(role)} ${isMuted(role) ? 'text-muted' : ''}`}
            dir="auto"
          >
            {isFirst ? shown[role] : cells[index]}
            {doubt !== null && index === roles.length - 1 && (
              <span className="block">
                {texts[doubt].replace('#', day && weekdayOf(day, locale))}
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}
