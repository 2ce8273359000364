import { isCostly } from '#client/connection.ts';

/**
 * Loads what the other pages in the sidebar consist of while there is nothing else to do, so that a
 * click on one needs little more than its data. What could not be loaded comes with its page.
 *
 * @returns a function that stops what has not begun
 */
export function loadOtherPages(): () => void {
  const controller = new AbortController();
  const start = () => setTimeout(() => !controller.signal.aborted && loadAll(), pauseMs);
  if (isCostly()) {
    return () => {};
  }
  if (document.readyState === 'complete') {
    start();
  } else {
    window.addEventListener('load', start, { once: true, signal: controller.signal });
  }
  return () => controller.abort();
}

/** After a page has loaded; not all browsers tell when they are idle. */
const pauseMs = 1_000;

/** Most of what only one of them has. */
function loadAll(): void {
  void import('#features/courses/course-rows.tsx').catch(() => null);
  void import('#features/language/language-switcher.tsx').catch(() => null);
  void import('#features/settings/save-form.tsx').catch(() => null);
  void import('#features/settings/section-links.tsx').catch(() => null);
}
