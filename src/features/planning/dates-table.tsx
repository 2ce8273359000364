'use client';

import type { ReactNode } from 'react';
import { isEndOfDay } from '#features/cohorts/cohort-dates.ts';
import type { DatesPreview } from '#features/cohorts/schema.ts';
import { addDays, dayOfWallTime, daysBetween } from '#lib/time/calendar.ts';
import { clockTime, longDay, weekdayOf } from '#lib/time/words.ts';

export type DatesTexts = {
  title: string;
  before: string;
  after: string;
  labels: Record<keyof DatesPreview['before'], string>;
  endOfDay: string;
  meetings: string;
  /** With `#1` and `#2` in the place of the days of the week. */
  weekday: string;
  /** If they are on several days of the week. */
  weekdays: string;
  adjusted: string;
  /** Of a session whose time clocks skip. */
  skipped: string;
  inPast: string;
};

type DatesTableProps = {
  preview: DatesPreview;
  /** The names of the zones' cities, before and after. */
  cities: { before: string; after: string };
  locale: string;
  texts: DatesTexts;
};

const fields = [
  'starts_on',
  'ends_on',
  'time_zone',
  'enrollment_opens_local',
  'enrollment_closes_local',
] as const;

/** Every date of a cohort before and after, before anything changes. */
export function DatesTable({ preview, cities, locale, texts }: DatesTableProps) {
  const { before, after, adjusted, warnings } = preview;
  const words = (dates: DatesPreview['before'], name: (typeof fields)[number], city: string) => {
    const value = dates[name];
    if (value === null || name === 'time_zone') {
      return value === null ? '' : city;
    }
    return name === 'starts_on' || name === 'ends_on'
      ? longDay(value, locale)
      : momentWords(value, name === 'enrollment_closes_local', locale, texts.endOfDay);
  };
  const isAdjusted = (name: string) => adjusted.some((field) => field === name);
  return (
    <>
      <BeforeAfter caption={texts.title} texts={texts}>
        {fields
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
      {warnings.includes('starts_in_past') && <p className="notice">{texts.inPast}</p>}
    </>
  );
}

type BeforeAfterProps = { caption: string; texts: DatesTexts; children: ReactNode };

/** A table of what there is before and after; the rows are its children. */
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
  { weekday, weekdays }: DatesTexts,
): string {
  const [from, to] = (['before', 'after'] as const).map(
    (time) => new Set(meetings.map((one) => weekdayOf(dayOfWallTime(one[time]), locale))),
  );
  const [[one = ''] = [], [other = ''] = []] = [from, to].map((days) => [...(days ?? [])]);
  return from?.size === 1 && to?.size === 1
    ? weekday.replace('#1', one).replace('#2', other)
    : weekdays;
}

function momentWords(wallTime: string, isEnd: boolean, locale: string, endOfDay: string): string {
  const day = dayOfWallTime(wallTime);
  return isEnd && isEndOfDay(wallTime)
    ? `${longDay(addDays(day, -1), locale)}, ${endOfDay}`
    : `${longDay(day, locale)}, ${clockTime(wallTime, locale)}`;
}
