'use client';

import { useInBrowser } from './use-in-browser.ts';

/** A tab may stay open past midnight. */
function onReturn(update: () => void): () => void {
  document.addEventListener('visibilitychange', update);
  return () => document.removeEventListener('visibilitychange', update);
}

/** Today's date, without the year. */
export function Today({ locale }: { locale: string }) {
  const format = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  // Empty until scripts run, so the line it is in needs a height of its own.
  const text = useInBrowser(() => new Date().toLocaleDateString(locale, format), '', onReturn);
  // Swedish dates are ISO dates.
  const day = text === '' ? undefined : new Date().toLocaleDateString('sv');
  return (
    <span className="sentence">
      <time dateTime={day}>{text}</time>
    </span>
  );
}

type LocalTimeProps = {
  /** ISO 8601. */
  at: string;
  locale: string;
  /** The text where no script runs, with its time zone. */
  inUtc: string;
};

/** A past moment: the time if it was today, otherwise date and time. */
export function LocalTime({ at, locale, inUtc }: LocalTimeProps) {
  const read = () => {
    const moment = new Date(at);
    if (moment.toDateString() !== new Date().toDateString()) {
      return moment.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' });
    }
    const today = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'day');
    return `${today}, ${moment.toLocaleTimeString(locale, { timeStyle: 'short' })}`;
  };
  const text = useInBrowser(read, '', onReturn);
  return (
    <span className="sentence">
      <time dateTime={at}>
        {text === '' ? <span className="hidden noscript:inline">{inUtc}</span> : text}
      </time>
    </span>
  );
}
