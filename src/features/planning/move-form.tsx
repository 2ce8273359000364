'use client';

import { type ReactNode, useRef } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { Values } from '#client/api-form.tsx';
import type { ApiCall } from '#client/call-api.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import {
  areSameDates,
  type CohortDates,
  dateFields,
  isEndOfDay,
} from '#features/cohorts/cohort-dates.ts';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { toNotifyInput } from '#features/cohorts/form-values.ts';
import { PlanForm } from '#features/cohorts/plan-form.tsx';
import type { DatesPreview } from '#features/cohorts/schema.ts';
import { addDays, dayOfWallTime, daysBetween, isDay, spansOf } from '#lib/time/calendar.ts';
import { clockTime, dayRange, longDay, monthAndYear, weekdayOf } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import type { usePlan } from './plan-pages.tsx';

type Shown = { values: Values; city: string; preview: DatesPreview; key: string };

type Plan = ReturnType<typeof usePlan>;

type PlanFormProps = Plan & {
  /** What the fields contain before anyone types, by their names. */
  proposed: Values;
  texts: Record<'confirm' | 'confirming' | 'done', string>;
  children: ReactNode;
};

/** Moves a cohort, after showing every date before and after. */
export function MoveForm(props: PlanFormProps) {
  return (
    <DatesForm
      {...props}
      path={cohortPaths.move(props.cohort.id)}
      toInput={(values, dry_run) => ({
        starts_on: values['starts_on'] ?? '',
        ends_on: values['ends_on'] ?? '',
        time_zone: values['time_zone'] ?? '',
        expected: props.expected,
        dry_run,
        ...toNotifyInput(values),
      })}
      toCall={(input, { preview }) => ({
        input: { ...input, expected_meetings: preview.meetings_mark },
      })}
      isNothing={({ before, after }) => areSameDates(before, after)}
    />
  );
}

/** Copies a cohort, after showing the dates of the copy. */
export function CopyForm(props: PlanFormProps) {
  return (
    <DatesForm
      {...props}
      path={cohortPaths.copy(props.cohort.id)}
      toInput={(values, dry_run) => ({
        name: values['name'] ?? '',
        starts_on: values['starts_on'] ?? '',
        with_join_url: values['with_join_url'] === 'on',
        close_gaps: values['close_gaps'] !== 'off',
        dry_run,
      })}
      toCall={(input, { key }) => ({ input, idempotencyKey: key })}
    />
  );
}

type DatesPath = ReturnType<typeof cohortPaths.move | typeof cohortPaths.copy>;
type DatesCall = ApiCall<DatesPath, 'POST'>;

type DatesFormProps = PlanFormProps & {
  path: DatesPath;
  toInput: (values: Values, dry_run: boolean) => NonNullable<DatesCall['input']>;
  toCall: (input: NonNullable<DatesCall['input']>, shown: Shown) => DatesCall;
  /** Whether there is nothing to do. */
  isNothing?: (preview: DatesPreview) => boolean;
};

function DatesForm({ cohort, proposed, messages, locale, texts, ...props }: DatesFormProps) {
  const refresh = useRefresh();
  const followed = useRef(cohort);
  const name = useRef(proposed['name']);

  /** The last day and the name follow the first day until someone chooses them. */
  function followFirstDay(form: HTMLElement): void {
    const { starts_on, ends_on } = followed.current;
    const [first, last, named] = ['starts_on', 'ends_on', 'name'].map((field) =>
      form.querySelector<HTMLInputElement>(`input[name="${field}"]`),
    );
    if (first && named && named.value === name.current && isDay(first.value)) {
      name.current = monthAndYear(first.value, locale);
      named.value = name.current;
    }
    // Days begin at midnight in UTC, where each has 24 hours.
    const shift = Date.parse(first?.value ?? '') - Date.parse(starts_on);
    if (first && last && last.value === ends_on && !Number.isNaN(shift)) {
      last.value = new Date(Date.parse(ends_on) + shift).toISOString().slice(0, 10);
      followed.current = { ...cohort, starts_on: first.value, ends_on: last.value };
    }
  }

  return (
    <PlanForm
      id="dates"
      path={props.path}
      proposed={proposed}
      messages={messages}
      texts={texts}
      toPreview={(values) => props.toInput(values, true)}
      toShown={(data, values, form) => ({
        values,
        city: form.querySelector('select')?.selectedOptions[0]?.text ?? cohort.city,
        preview: data as DatesPreview,
        key: crypto.randomUUID(),
      })}
      planned={(shown, isRefused) => (
        <>
          <DatesTable
            preview={shown.preview}
            cities={{ before: cohort.city, after: shown.city }}
            locale={locale}
            texts={texts}
          />
          <div className="actions">
            {!props.isNothing?.(shown.preview) && (
              <ActionButton
                path={props.path}
                call={props.toCall(props.toInput(shown.values, false), shown)}
                pendingLabel={texts.confirming}
                className="button button-primary"
                onFailure={isRefused}
                onDone={(made) => {
                  giveUpChanges();
                  return leaveFor(paths.cohort('id' in made ? made.id : cohort.id), texts.done);
                }}
              >
                {texts.confirm}
              </ActionButton>
            )}
          </div>
        </>
      )}
      onInput={followFirstDay}
      onRefused={(code) => {
        if (code === 'dates_changed') {
          // The next preview starts from the dates as they are now.
          void refresh();
        }
      }}
    >
      {props.children}
    </PlanForm>
  );
}

type DatesTableProps = Pick<Plan, 'locale' | 'texts'> & {
  preview: DatesPreview;
  cities: { before: string; after: string };
};

function DatesTable({ preview, cities, locale, texts }: DatesTableProps) {
  const { before, after, adjusted, warnings } = preview;
  const words = (dates: CohortDates, name: keyof CohortDates, city: string) => {
    const value = dates[name];
    if (value === null || name === 'time_zone') {
      return value === null ? '' : city;
    }
    return name === 'starts_on' || name === 'ends_on'
      ? longDay(value, locale)
      : momentWords(value, name !== 'enrollment_opens_local', locale, texts.endOfDay);
  };
  const shift = daysBetween(before.starts_on, after.starts_on);
  const moment = (wallTime: string) => momentWords(wallTime, false, locale, '');
  const isAdjusted = (name: string) => adjusted.some((field) => field === name);
  return (
    <>
      <BeforeAfter
        caption={texts.title}
        texts={texts}
        rows={dateFields
          .filter((name) => before[name] !== null)
          .map((name) => ({
            ...{ key: name, title: texts.labels[name], hint: isAdjusted(name) && texts.adjusted },
            before: words(before, name, cities.before),
            after: words(after, name, cities.after),
          }))}
      />
      {preview.meetings.length > 0 && shift % 7 !== 0 && (
        <p className="notice">{weekdayWords(preview.meetings, locale, texts)}</p>
      )}
      <BeforeAfter
        caption={texts.meetings}
        texts={texts}
        rows={preview.meetings.map(({ id, title, is_adjusted, ...one }) => ({
          ...{ key: id, title, hint: is_adjusted && texts.skipped },
          ...{ before: moment(one.before), after: moment(one.after) },
        }))}
      />
      <BeforeAfter
        caption={texts.daysOff}
        texts={texts}
        rows={spansOf(
          preview.days_off.map((one) => ({ ...one, on_date: one.before })),
          preview.meetings.map((one) => dayOfWallTime(one.before)),
        ).map(({ from, to, reason }) => ({
          ...{ key: from, title: reason || texts.dayOff },
          before: dayRange(from, to, locale),
          after: dayRange(addDays(from, shift), addDays(to, shift), locale),
        }))}
      />
      <BeforeAfter
        caption={texts.sections}
        texts={texts}
        rows={preview.sections?.map(({ id, title, ...one }) => ({
          ...{ key: id, title: title ?? texts.untitled },
          ...{ before: openingWords(one.before, locale), after: openingWords(one.after, locale) },
        }))}
      />
      <BeforeAfter
        caption={texts.offers}
        texts={texts}
        rows={preview.offers?.map(({ id, name, before: from, after: to }) => ({
          ...{ key: id, title: name, before: moment(from) },
          after: to === null ? texts.endsNow : moment(to),
        }))}
      />
      {warnings.includes('starts_in_past') && <p className="notice">{texts.inPast}</p>}
    </>
  );
}

type BeforeAfterProps = {
  caption: string;
  texts: Plan['texts'];
  /** Without any, there is no table. */
  rows?:
    | { key: string; title: string; before: string; after: string; hint?: string | false }[]
    | undefined;
};

const cell = 'border-line border-t py-3 pe-4 text-start align-top wrap-break-word';
const head = `${cell} font-normal text-muted text-sm`;

function BeforeAfter({ caption, texts, rows = [] }: BeforeAfterProps) {
  return (
    rows.length > 0 && (
      <table className="before-after w-full table-fixed text-[0.9375rem]">
        <caption className="pb-2 text-start font-serif text-[1.375rem] font-semibold">
          {caption}
        </caption>
        <thead>
          <tr>
            <td className={cell} />
            <th scope="col" className={head}>
              {texts.before}
            </th>
            <th scope="col" className={head}>
              {texts.after}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, title, before, after, hint }) => (
            <tr key={key}>
              <th scope="row" dir="auto" className={head}>
                {title}
              </th>
              <td className={cell}>{before}</td>
              <td className={before === after ? cell : `${cell} font-semibold`}>
                {after}
                {hint && <span className="hint block font-normal">{hint}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )
  );
}

/** A move by anything but whole weeks changes the days of the week. */
function weekdayWords(
  meetings: DatesPreview['meetings'],
  locale: string,
  { weekday, weekdays }: Plan['texts'],
): string {
  const [from, to] = (['before', 'after'] as const).map(
    (time) => new Set(meetings.map((one) => weekdayOf(dayOfWallTime(one[time]), locale))),
  );
  const [[one = ''] = [], [other = ''] = []] = [from, to].map((days) => [...(days ?? [])]);
  return from?.size === 1 && to?.size === 1
    ? weekday.replace('#1', one).replace('#2', other)
    : weekdays;
}

/** A day, or a day and a time. */
function openingWords(local: string, locale: string): string {
  return isDay(local) ? longDay(local, locale) : momentWords(local, false, locale, '');
}

function momentWords(wallTime: string, isEnd: boolean, locale: string, endOfDay: string): string {
  const day = dayOfWallTime(wallTime);
  return isEnd && isEndOfDay(wallTime)
    ? `${longDay(addDays(day, -1), locale)}, ${endOfDay}`
    : `${longDay(day, locale)}, ${clockTime(wallTime, locale)}`;
}
