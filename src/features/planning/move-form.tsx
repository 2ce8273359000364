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
import { addDays, dayOfWallTime, daysBetween, isDay } from '#lib/time/calendar.ts';
import { clockTime, longDay, weekdayOf } from '#lib/time/words.ts';
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

  /** The last day follows the first one until someone chooses it. */
  function followFirstDay(form: HTMLElement): void {
    const { starts_on, ends_on } = followed.current;
    const [first, last] = ['starts_on', 'ends_on'].map((name) =>
      form.querySelector<HTMLInputElement>(`input[name="${name}"]`),
    );
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
  const isAdjusted = (name: string) => adjusted.some((field) => field === name);
  return (
    <>
      <BeforeAfter caption={texts.title} texts={texts}>
        {dateFields
          .filter((name) => before[name] !== null)
          .map((name) => (
            <tr key={name} data-changed={before[name] !== after[name] || undefined}>
              <th scope="row">{texts.labels[name]}</th>
              <td>{words(before, name, cities.before)}</td>
              <td>
                {words(after, name, cities.after)}
                {isAdjusted(name) && <span className="hint">{texts.adjusted}</span>}
              </td>
            </tr>
          ))}
      </BeforeAfter>
      {preview.meetings.length > 0 && daysBetween(before.starts_on, after.starts_on) % 7 !== 0 && (
        <p className="notice">{weekdayWords(preview.meetings, locale, texts)}</p>
      )}
      {preview.meetings.length > 0 && (
        <BeforeAfter caption={texts.meetings} texts={texts}>
          {preview.meetings.map((one) => (
            <tr key={one.id} data-changed={one.before !== one.after || undefined}>
              <th scope="row" dir="auto">
                {one.title}
              </th>
              <td>{momentWords(one.before, false, locale, '')}</td>
              <td>
                {momentWords(one.after, false, locale, '')}
                {one.is_adjusted && <span className="hint">{texts.skipped}</span>}
              </td>
            </tr>
          ))}
        </BeforeAfter>
      )}
      {preview.days_off.length > 0 && (
        <BeforeAfter caption={texts.daysOff} texts={texts}>
          {preview.days_off.map(({ reason, before: from, after: to }) => (
            <tr key={from} data-changed={from !== to || undefined}>
              <th scope="row" dir="auto">
                {reason || texts.dayOff}
              </th>
              <td>{longDay(from, locale)}</td>
              <td>{longDay(to, locale)}</td>
            </tr>
          ))}
        </BeforeAfter>
      )}
      {preview.sections !== undefined && (
        <BeforeAfter caption={texts.sections} texts={texts}>
          {preview.sections.map(({ id, title, before: from, after: to }) => (
            <tr key={id} data-changed={from !== to || undefined}>
              <th scope="row" dir="auto">
                {title ?? texts.untitled}
              </th>
              <td>{openingWords(from, locale)}</td>
              <td>{openingWords(to, locale)}</td>
            </tr>
          ))}
        </BeforeAfter>
      )}
      {preview.offers !== undefined && (
        <BeforeAfter caption={texts.offers} texts={texts}>
          {preview.offers.map(({ id, name, before: from, after: to }) => (
            <tr key={id} data-changed>
              <th scope="row" dir="auto">
                {name}
              </th>
              <td>{momentWords(from, false, locale, '')}</td>
              <td>{to === null ? texts.endsNow : momentWords(to, false, locale, '')}</td>
            </tr>
          ))}
        </BeforeAfter>
      )}
      {warnings.includes('starts_in_past') && <p className="notice">{texts.inPast}</p>}
    </>
  );
}

type BeforeAfterProps = { caption: string; texts: Plan['texts']; children: ReactNode };

function BeforeAfter({ caption, texts, children }: BeforeAfterProps) {
  return (
    <table className="before-after">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{texts.before}</th>
          <th scope="col">{texts.after}</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
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
