'use client';

import { Component, type ReactNode, use, useEffect, useRef, useState } from 'react';
import {
  unstable_getErrorInfo as errorInfoOf,
  Root_UNSTABLE as Root,
  Slot_UNSTABLE as Slot,
  useElementsPromise_UNSTABLE as useElementsPromise,
} from 'waku/minimal/client';
import {
  unstable_encodeRoutePath as encodeRoutePath,
  unstable_getRouteFromElements as routeOf,
  unstable_getRouteSlotId as slotIdOf,
  unstable_pathnameToRoutePath as toRoutePath,
} from 'waku/router/client-core';
import { useLoadPage } from './use-load-page.ts';

/**
 * Takes over the page that the server has rendered, and shows further ones in its place. Links are plain links: the browser's
 * Navigation API hands them over, with history, scrolling and focus in its own hands. Browsers without it, and whatever
 * cannot be fetched, load a whole document instead.
 */
export function Router() {
  const [path] = useState(pathAtFirst);
  return (
    <Root initialRscPath={path}>
      <CurrentPage />
    </Root>
  );
}

function CurrentPage() {
  const elements = use(useElementsPromise());
  const loadPage = useLoadPage();
  const onShown = useRef<() => void>(null);
  useEffect(() => {
    onShown.current?.();
  });

  useEffect(() => {
    const { navigation } = window;
    if (navigation === undefined) {
      return undefined;
    }
    const onNavigate = (event: NavigateEvent) => {
      const url = new URL(event.destination.url);
      if (!isOurs(event, url)) {
        return;
      }
      event.intercept({
        async handler() {
          const shown = new Promise<void>((resolve) => {
            onShown.current = resolve;
          });
          const result = await loadPage(url, event.signal);
          if (result.ok) {
            // The browser scrolls when this is done: then there has to be something to scroll.
            await shown;
          } else if (!event.signal.aborted) {
            window.location.reload();
          }
        },
      });
    };
    navigation.addEventListener('navigate', onNavigate);
    return () => navigation.removeEventListener('navigate', onNavigate);
  }, [loadPage]);

  const path = routeOf(elements)?.path ?? '/404';
  return (
    <Slot id="root">
      <FollowRedirect>
        <Slot id={slotIdOf(path)} />
      </FollowRedirect>
    </Slot>
  );
}

function pathAtFirst(): string {
  try {
    return encodeRoutePath(toRoutePath(window.location.pathname));
  } catch {
    // Addresses that Waku takes for none; the server has shown the page for those.
    return encodeRoutePath('/404');
  }
}

/**
 * A link that somebody has clicked, or a way back to a page that was shown in this document. What scripts ask for by
 * `location` is meant to be a whole new document.
 */
function isOurs(event: NavigateEvent, url: URL): boolean {
  const isLink = event.navigationType === 'push' && event.userInitiated;
  const isWayBack = event.navigationType === 'traverse' && event.destination.sameDocument;
  return (
    (isLink || isWayBack) &&
    event.canIntercept &&
    !event.hashChange &&
    event.downloadRequest === null &&
    event.formData === null &&
    !url.pathname.startsWith('/api/')
  );
}

/** A page that sends its reader elsewhere does so while it is rendered: the browser goes there, as it would with a document. */
class FollowRedirect extends Component<{ children: ReactNode }, { location: string | null }> {
  override state = { location: null };

  static getDerivedStateFromError(error: unknown) {
    const location = errorInfoOf(error)?.location;
    if (location === undefined) {
      throw error;
    }
    return { location };
  }

  override componentDidUpdate(): void {
    const { location } = this.state;
    if (location !== null) {
      window.location.replace(location);
    }
  }

  override render(): ReactNode {
    return this.state.location === null ? this.props.children : null;
  }
}
