'use client';

import { dayOfWallTime } from '#lib/time/calendar.ts';
import { clockTime, longDay } from '#lib/time/words.ts';
import type { PlannedMeeting } from './schema.ts';

export type PlannedTexts = {
  title: string;
  skipped: string;
  warnings: Record<PlannedMeeting['warnings'][number], string>;
};

type PlannedListProps = { planned: PlannedMeeting[]; locale: string; texts: PlannedTexts };

/** Every session that would be added, with what to look at. */
export function PlannedList({ planned, locale, texts }: PlannedListProps) {
  return (
    <>
      <h2>{texts.title}</h2>
      <ol className="planned-list">
        {planned.map(({ starts_local: startsLocal, is_adjusted: isAdjusted, warnings }) => (
          <li key={startsLocal}>
            <span className="sentence">{longDay(dayOfWallTime(startsLocal), locale)}</span>
            {', '}
            <span>{clockTime(startsLocal, locale)}</span>
            {isAdjusted && <span className="hint">{texts.skipped}</span>}
            {warnings.map((warning) => (
              <span key={warning} className="hint text-warn">
                {texts.warnings[warning]}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}
