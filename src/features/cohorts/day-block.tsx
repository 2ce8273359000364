import { useLingui } from '@lingui/react/macro';
import { dayParts } from '#lib/time/words.ts';

/** A day set in type, as in a printed program. The words beside it say it too. */
export function DayBlock({ day, weekday }: { day: string; weekday?: string }) {
  const { i18n } = useLingui();
  const parts = dayParts(day, i18n.locale);
  return (
    <span className="day-block" aria-hidden="true">
      <span>{parts.month}</span>
      <span>{parts.day}</span>
      {weekday !== undefined && <span>{weekday}</span>}
    </span>
  );
}
