import type { FetchPage } from './fetch-page.ts';
import { isAhead, keepAhead } from './pages-at-hand.ts';

/** Part of a navigator that the types do not have: not all browsers do. */
type Connected = { connection?: { saveData?: boolean; effectiveType?: string } };

/** How long the pointer is still on a link that people mean to click. */
const restMs = 30;

/**
 * Fetches the page of a link that is pressed, that the pointer rests on, or that has the keyboard's
 * focus. Not on slow connections, nor for people who save data.
 *
 * @param isPage whether a URL is one of our pages
 * @returns a function that removes the listeners
 */
export function prefetchLinks(fetchPage: FetchPage, isPage: (url: URL) => boolean): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let resting: HTMLAnchorElement | null = null;

  function onRest(event: Event): void {
    const { target } = event;
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    const link = target instanceof Element && !isTouch ? target.closest('a') : null;
    if (link === resting) {
      return;
    }
    clearTimeout(timer);
    resting = link;
    const isByMouse = event.type === 'focusin' && link?.matches(':focus-visible') === false;
    timer = undefined;
    if (link !== null && !isByMouse) {
      wait(link);
    }
  }

  function wait(link: HTMLAnchorElement): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      prefetch(link);
    }, restMs);
  }

  /** On its way over links, however slowly. */
  function onMove(): void {
    if (timer !== undefined && resting !== null) {
      wait(resting);
    }
  }

  /** The time from press to click is enough for much of the way to the server. */
  function onPress({ target, isPrimary, button }: PointerEvent): void {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link !== null && isPrimary && button === 0) {
      clearTimeout(timer);
      prefetch(link);
    }
  }

  function prefetch({ href, download, target }: HTMLAnchorElement): void {
    const url = URL.parse(href);
    const isHere = url?.pathname === window.location.pathname;
    if (url !== null && !isHere && !download && !target && isPage(url) && !isAhead(href)) {
      keepAhead(href, fetchPage(url));
    }
  }

  const { signal } = controller;
  const { saveData, effectiveType } = (window.navigator as Connected).connection ?? {};
  // What is fetched in vain would cost money, or hold up what is needed.
  const isCostly = saveData === true || effectiveType === 'slow-2g' || effectiveType === '2g';
  if (!isCostly) {
    document.addEventListener('pointerdown', onPress, { signal, passive: true });
    document.addEventListener('pointerover', onRest, { signal, passive: true });
    document.addEventListener('pointermove', onMove, { signal, passive: true });
    document.addEventListener('focusin', onRest, { signal });
    // The click fetches it.
    document.addEventListener('click', () => clearTimeout(timer), { signal, capture: true });
  }
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
