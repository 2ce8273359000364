import {
  createContext,
  startTransition,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useMergeElements_UNSTABLE } from 'waku/minimal/client';
import { type Elements, useFetchPage } from './fetch-page.ts';
import { loadAtLast } from './lost-scripts.ts';
import type { ShownPage } from './pages-at-hand.ts';

export const DestinationContext = createContext<string | null>(null);

/** Which of these places is current: the one that was clicked is at once. */
export function useCurrent(places: { to: string }[], current: string | null | undefined) {
  const destination = useContext(DestinationContext);
  return places.some(({ to }) => to === destination) ? destination : current;
}

/**
 * Shows the pages of links and of history in this document.
 *
 * @param elements what is on screen
 * @returns the path of the page that is on its way; null while none is
 */
export function useVisits(elements: Elements): string | null {
  const fetchPage = useFetchPage();
  const mergeElements = useMergeElements_UNSTABLE();
  const [destination, setDestination] = useState<string | null>(null);
  const onShown = useRef<() => void>(null);
  const shownPage = useRef<ShownPage>({ elements, cookies: '' });
  useEffect(() => {
    shownPage.current = { elements, cookies: document.cookie };
  }, [elements]);
  const onRead = useRef<() => void>(null);
  // At once: a late effect of the page before would end the wait of the next one.
  useLayoutEffect(() => {
    // Null is set together with the page.
    if (destination === null) {
      onRead.current = onShown.current;
      onShown.current = null;
    }
  });
  // After the effects of the page itself, of which one may choose what has the focus.
  useEffect(() => {
    onRead.current?.();
    onRead.current = null;
  });

  useEffect(() => {
    const { navigation } = window;
    if (navigation === undefined) {
      return undefined;
    }
    const pathname = pathOfDocument();
    // Not needed for the first page. Until then, the browser loads whole documents.
    const listening = loadAtLast(() => import('./visits.ts')).then(({ listenForVisits }) => {
      if (window.location.pathname !== pathname) {
        // After a reload, Back changes the address alone, as the document before has followed it.
        window.location.reload();
      }
      return listenForVisits(navigation, {
        fetchPage,
        expect: setDestination,
        shownPage: () => shownPage.current,
        async show(fetched, url) {
          const focused = document.activeElement;
          // The browser scrolls when this settles, so the page has to be there by then.
          await new Promise<void>((resolve) => {
            onShown.current = resolve;
            startTransition(() => {
              setDestination(null);
              void mergeElements(fetched);
            });
          });
          moveFocus(url, focused);
        },
        renew(fetched) {
          startTransition(() => void mergeElements(fetched));
        },
      });
    });
    return () => void listening.then((stop) => stop());
  }, [fetchPage, mergeElements]);

  return destination;
}

/** The path that this document was loaded from: Back may have changed the address since. */
function pathOfDocument(): string {
  const [load] = performance.getEntriesByType('navigation');
  return new URL(load?.name ?? window.location.href).pathname;
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
