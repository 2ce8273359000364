/**
 * “in 2 minutes”, or “now” once the time has come, in the language of the page. Rounded up, so that
 * it never promises too much.
 *
 * @param time in milliseconds, as `now`
 */
export function timeUntil(time: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((time - now) / 1000));
  const [unit, size] =
    seconds <= 60
      ? (['second', 1] as const)
      : seconds <= 60 * 60
        ? (['minute', 60] as const)
        : (['hour', 60 * 60] as const);
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });
  // A number and its unit stay on one line.
  return format.format(Math.ceil(seconds / size), unit).replace(/(\d) /, '$1\u00a0');
}
