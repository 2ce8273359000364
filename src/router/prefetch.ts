import { isAhead, keepAhead } from './ahead.ts';
import type { FetchPage } from './fetch-page.ts';

/** How long the pointer rests on a link that people mean to click. */
const restMs = 65;

/**
 * Fetches the page of a link that the pointer rests on, or that has the keyboard's focus. Not on
 * touch screens, where nothing rests, nor for people who save data.
 *
 * @param isPage whether a URL is one of our pages
 * @returns a function that removes the listeners
 */
export function prefetchLinks(fetchPage: FetchPage, isPage: (url: URL) => boolean): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let resting: Element | null = null;

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
    if (link !== null && !isByMouse) {
      timer = setTimeout(() => prefetch(link), restMs);
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
  if (!savesData()) {
    document.addEventListener('pointerover', onRest, { signal, passive: true });
    document.addEventListener('focusin', onRest, { signal });
    // The click fetches it.
    document.addEventListener('click', () => clearTimeout(timer), { signal, capture: true });
  }
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

/** Part of a navigator that the types do not have: not all browsers do. */
type Connected = { connection?: { saveData?: boolean } };

function savesData(): boolean {
  return (window.navigator as Connected).connection?.saveData === true;
}
