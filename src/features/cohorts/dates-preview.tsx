'use client';

import { addDays, dayOfWallTime } from '#lib/time/calendar.ts';
import { clockTime, longDay } from '#lib/time/words.ts';
import { isEndOfDay } from './cohort-dates.ts';
import type { DatesPreview as Preview } from './schema.ts';

export type PreviewTexts = {
  title: string;
  before: string;
  after: string;
  labels: Record<keyof Preview['before'], string>;
  endOfDay: string;
  adjusted: string;
  inPast: string;
};

type DatesPreviewProps = {
  preview: Preview;
  /** The names of the zones' cities, before and after. */
  cities: { before: string; after: string };
  locale: string;
  texts: PreviewTexts;
};

const fields = [
  'starts_on',
  'ends_on',
  'time_zone',
  'enrollment_opens_local',
  'enrollment_closes_local',
] as const;

/** Every date of a cohort before and after, before anything changes. */
export function DatesPreview({ preview, cities, locale, texts }: DatesPreviewProps) {
  const { before, after, adjusted, warnings } = preview;
  const words = (dates: Preview['before'], name: (typeof fields)[number], city: string) => {
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
      <table className="before-after">
        <caption>{texts.title}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{texts.before}</th>
            <th scope="col">{texts.after}</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
      {warnings.includes('starts_in_past') && <p className="notice">{texts.inPast}</p>}
    </>
  );
}

function momentWords(wallTime: string, isEnd: boolean, locale: string, endOfDay: string): string {
  const day = dayOfWallTime(wallTime);
  return isEnd && isEndOfDay(wallTime)
    ? `${longDay(addDays(day, -1), locale)}, ${endOfDay}`
    : `${longDay(day, locale)}, ${clockTime(wallTime, locale)}`;
}
