import { startTransition, useEffect, useRef, useState } from 'react';
import { useMergeElements_UNSTABLE } from 'waku/minimal/client';
import { loadOrLeave } from '#client/check-by-schema.ts';
import { useFetchPage } from './fetch-page.ts';
import { isPage, listenForVisits } from './visits.ts';

/**
 * Shows the pages of links and of history in this document.
 *
 * @returns the path of the page that is on its way; null while none is
 */
export function useVisits(): string | null {
  const fetchPage = useFetchPage();
  const mergeElements = useMergeElements_UNSTABLE();
  const [destination, setDestination] = useState<string | null>(null);
  const onShown = useRef<() => void>(null);
  useEffect(() => {
    // Null is set together with the page.
    if (destination === null) {
      onShown.current?.();
      onShown.current = null;
    }
  });

  useEffect(() => {
    const { navigation } = window;
    if (navigation === undefined) {
      return undefined;
    }
    const stopListening = listenForVisits(navigation, {
      fetchPage,
      expect: setDestination,
      async show(elements, url) {
        const focused = document.activeElement;
        // The browser scrolls when this settles, so the page has to be there by then.
        await new Promise<void>((resolve) => {
          onShown.current = resolve;
          startTransition(() => {
            setDestination(null);
            void mergeElements(elements);
          });
        });
        moveFocus(url, focused);
      },
    });
    // Not needed for the first page, and not missed if it cannot be loaded.
    const prefetching = loadOrLeave(() => import('./prefetch.ts')).then((script) =>
      script?.prefetchLinks(fetchPage, isPage),
    );
    return () => {
      stopListening();
      void prefetching.then((stop) => stop?.());
    };
  }, [fetchPage, mergeElements]);

  return destination;
}

/**
 * Moves the focus to the title of a new page, which screen readers then read, or to the part that
 * its address names.
 *
 * @param before what had the focus on the page before; if that changed, the new page has chosen
 */
function moveFocus({ hash }: URL, before: Element | null): void {
  const { activeElement, body } = document;
  const start = document.getElementById(hash.slice(1)) ?? document.querySelector('h1');
  if (start !== null && (activeElement === before || activeElement === body)) {
    if (start.tabIndex < 0) {
      start.tabIndex = -1;
    }
    // The browser scrolls.
    start.focus({ preventScroll: true });
  }
}
