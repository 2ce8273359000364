'use client';

import { useContext, useRef, useState } from 'react';
import {
  type ArrangedRows,
  arrange,
  dayAfter,
  meetingDays,
  minutesBetween,
  rowsIn,
} from '#features/meetings/session-rows.ts';
import { SessionSheet } from '#features/meetings/session-sheet.tsx';
import type { SheetTexts } from '#features/meetings/sheet-texts.ts';
import { addDays, isDay } from '#lib/time/calendar.ts';
import { clockRange, weekdayOf } from '#lib/time/words.ts';
import { FormContext, SubmitButton } from '#ui/form.tsx';
import { useTyped } from '#ui/use-typed.ts';

/** As `Date` numbers them, from Monday. */
const weekdays = [1, 2, 3, 4, 5, 6, 0];
/** A Sunday. */
const sunday = '2000-01-02';

/** Whether a field says how the sessions are made, which is not sent. */
export function isTermField(name: string): boolean {
  return /^(weekday-\d|weeks|starts_time|ends_time|sessions)$/.test(name);
}

/** What the fields of a term contain. */
export function termIn(form: HTMLFormElement) {
  const read = (name: string) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
      ? field.value
      : '';
  };
  const ticked = weekdays.filter((weekday) => {
    const field = form.elements.namedItem(`weekday-${weekday}`);
    return field instanceof HTMLInputElement && field.checked;
  });
  const weeks = /^\d{1,3}$/.test(read('weeks').trim()) ? Number(read('weeks')) : 0;
  const [from, to] = [read('starts_on'), read('ends_on')];
  const zone = form.elements.namedItem('time_zone');
  return {
    from,
    to,
    weeks: weeks > 0 ? weeks : null,
    weekdays: ticked,
    starts: read('starts_time'),
    ends: read('ends_time'),
    city: (zone instanceof HTMLSelectElement && zone.value && zone.selectedOptions[0]?.text) || '',
    rows: rowsIn(read('sessions')),
    /** The days on which the cohort meets, up to one of them. */
    days: (last: string) => meetingDays(from, last, ticked),
  };
}

/** `6:30 – 9:00 PM`; empty if one of the times is not chosen. */
export function timesOf(starts: string, ends: string, locale: string): string {
  const minutes = minutesBetween(starts, ends);
  const from = new Date(`2000-01-01T${starts}Z`);
  return Number.isNaN(minutes)
    ? ''
    : clockRange('UTC', from, new Date(from.getTime() + minutes * 60_000), locale);
}

/** `Mondays and Thursdays` */
export function weekdayNames(days: readonly number[], count: number, locale: string): string {
  const names = days.map((day) => {
    const name = weekdayOf(addDays(sunday, day), locale);
    // The same in both languages.
    return count === 1 ? name : `${name}s`;
  });
  return new Intl.ListFormat(locale).format(names);
}

type PickerProps = { legend: string; locale: string };

/** The days of the week on which a cohort meets: any number of them. */
export function WeekdayPicker({ legend, locale }: PickerProps) {
  const { sentValue } = useContext(FormContext);
  return (
    <fieldset className="field">
      <legend className="label">{legend}</legend>
      <div className="weekday-picker flex flex-wrap gap-1.5 @max-[22rem]:gap-x-[0.1875rem]">
        {weekdays.map((weekday) => {
          const day = addDays(sunday, weekday);
          return (
            <label
              key={weekday}
              className="[position:relative] grid size-11 cursor-pointer place-items-center rounded-control border-1 border-edge bg-surface text-sm capitalize hover:bg-tint has-checked:border-accent has-checked:bg-accent has-checked:font-semibold has-checked:text-on-accent forced-colors:has-checked:border-3 forced-colors:has-checked:border-[Highlight]"
            >
              <input
                type="checkbox"
                className="[position:absolute] inset-0 cursor-pointer opacity-0"
                name={`weekday-${weekday}`}
                value="on"
                aria-label={weekdayOf(day, locale)}
                defaultChecked={sentValue(`weekday-${weekday}`) === 'on'}
              />
              <span aria-hidden="true">{weekdayOf(day, locale, 'short').slice(0, 2)}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

type TermTexts = {
  heading: string;
  /** `{count} {days}, {times} {city} time.` with `#1` to `#4`; `timeless` without times. */
  pattern: string;
  timeless: string;
  /** With the number of sessions in the place of `#1`, and of days off in that of `#2`. */
  allWith: string;
  some: string;
  none: string;
};

type TermSheetProps = { locale: string; texts: TermTexts; sheet: SheetTexts };

/** The sessions that follow from the first and last day, the weekdays and the times. */
export function TermSheet({ locale, texts, sheet }: TermSheetProps) {
  const [{ rows }, setArranged] = useState<ArrangedRows>({ rows: [], spare: [] });
  const [term, setTerm] = useState<Summary | null>(null);
  const formRef = useRef<HTMLFormElement>(null);
  const ref = useTyped(() => {
    formRef.current = ref.current?.closest('form') ?? null;
    if (formRef.current === null) {
      return;
    }
    const { days, from, to, weekdays: chosen, starts, ends, city } = termIn(formRef.current);
    const planned = days(to);
    // Not while a date is being typed.
    if (isDay(from) && isDay(to)) {
      setArranged((before) => arrange(before, planned));
    }
    const next = { planned: planned.length, chosen, times: timesOf(starts, ends, locale), city };
    setTerm((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
  });
  const off = rows.filter(({ isOff }) => isOff).length;
  return (
    <div ref={ref}>
      <SessionSheet
        rows={rows}
        onRows={(change) => setArranged(({ rows, spare }) => ({ rows: change(rows), spare }))}
        isTyped={rows.some((row) => row.title || row.line || row.isOff || row.isAdded)}
        next={() => ({
          day: dayAfter(rows, formRef.current ? termIn(formRef.current).from : ''),
          time: null,
        })}
        days={() => (formRef.current ? termIn(formRef.current) : { from: '', to: '' })}
        onLastDay={(day) => {
          const field = formRef.current?.elements.namedItem('ends_on');
          if (field instanceof HTMLInputElement) {
            field.value = day;
            field.dispatchEvent(new Event('input', { bubbles: true }));
          }
        }}
        locale={locale}
        texts={sheet}
      >
        <h2 id="sessions">{texts.heading}</h2>
        <p className="text-muted text-sm" role="status">
          {rows.length === 0 ? (
            texts.none
          ) : (
            <>
              {term !== null && term.planned > 0 && `${patternOf(term, texts, locale)} `}
              <b>
                {(off === 0 ? texts.allWith : texts.some)
                  .replace('#1', String(rows.length - off))
                  .replace('#2', String(off))}
              </b>
            </>
          )}
        </p>
      </SessionSheet>
    </div>
  );
}

type Summary = { planned: number; chosen: number[]; times: string; city: string };

function patternOf({ planned, chosen, times, city }: Summary, texts: TermTexts, locale: string) {
  return (times === '' || city === '' ? texts.timeless : texts.pattern)
    .replace('#1', String(planned))
    .replace('#2', weekdayNames(chosen, planned, locale))
    .replace('#3', times)
    .replace('#4', city);
}

type CreateButtonProps = { none: string; one: string; many: string; pendingLabel: string };

/** Says how many sessions the draft will have. */
export function CreateButton({ none, one, many, pendingLabel }: CreateButtonProps) {
  const [count, setCount] = useState(0);
  const ref = useTyped((read) => {
    setCount(rowsIn(read('sessions')).filter(({ isOff }) => !isOff).length);
  });
  const label = [none, one][count] ?? many.replace('#', String(count));
  return (
    <div ref={ref}>
      <SubmitButton label={label} pendingLabel={pendingLabel} />
    </div>
  );
}
