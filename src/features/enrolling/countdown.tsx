'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { minuteMs } from '#lib/time/calendar.ts';
import { leftWords } from '#lib/time/time-left.ts';
import { useRefresh } from '#router/use-load-page.ts';

type CountdownProps = {
  /** From when and until when something is kept, and when the page was rendered; all ISO 8601. */
  from: string;
  until: string;
  now: string;
  locale: string;
  /** With `#` in the place of the time. */
  text: string;
  className?: string;
  /** Above the bar, where the words are otherwise: they are then below it. */
  sentence?: ReactNode;
};

/** For how long something is kept, in words and as a bar. Nothing reads out how it changes. */
export function Countdown(props: CountdownProps) {
  const { from, until, now, locale, text, className, sentence } = props;
  const left = useTimeLeft(until, now);
  const share = left / (Date.parse(until) - Date.parse(from));
  const words = text.replace('#', leftWords(left, locale));
  return (
    <>
      {sentence ?? <p className={className}>{words}</p>}
      <svg className="time-bar" aria-hidden="true">
        <rect width="100%" height="100%" opacity="0.35" />
        <rect width={`${Math.round(Math.min(1, share) * 100)}%`} height="100%" />
      </svg>
      {sentence !== undefined && <small>{words}</small>}
    </>
  );
}

/** Right to the minute, also after a device has slept. The page is loaded again at the end. */
function useTimeLeft(until: string, now: string): number {
  const [left, setLeft] = useState(Date.parse(until) - Date.parse(now));
  const refresh = useRefresh();
  useEffect(() => {
    // A device's own clock may be wrong.
    const end = Date.parse(until) - Date.parse(now) + Date.now();
    let timer: ReturnType<typeof setTimeout>;
    function look(): void {
      clearTimeout(timer);
      const rest = end - Date.now();
      setLeft(Math.max(0, rest));
      if (rest > 0) {
        timer = setTimeout(look, rest % minuteMs || minuteMs);
      } else {
        void refresh();
      }
    }
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [until, now, refresh]);
  return left;
}
