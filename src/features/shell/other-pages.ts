import { loadOrLeave } from '#client/check-by-schema.ts';
import { isCostly } from '#client/connection.ts';

/**
 * Loads the scripts of the other pages in the sidebar while there is nothing else to do, so that a
 * click on one needs only its data. One that could not be loaded comes with its page.
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

/** Each brings what its page needs beside it: see the groups in waku.config.ts. */
function loadAll(): void {
  void loadOrLeave(() => import('#features/courses/course-rows.tsx'));
  void loadOrLeave(() => import('#features/language/language-switcher.tsx'));
  void loadOrLeave(() => import('#features/settings/section-links.tsx'));
}
