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
 * Hydrates the page that the server has rendered, and replaces it on navigation. Links are plain
 * links: the browser's Navigation API intercepts them and keeps history, scrolling and focus.
 * Browsers without it, and pages that cannot be fetched, load a whole document instead.
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
            // The browser scrolls when this resolves, so the page has to be there by then.
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
    // Addresses that Waku cannot parse; the server has shown a page for those.
    return encodeRoutePath('/404');
  }
}

/**
 * Whether a navigation is a clicked link, or history that leads to a page shown in this document.
 * Scripts that set `location` ask for a whole new document. Between two entries at one address are
 * the steps of an island, which follows history itself.
 */
function isOurs(event: NavigateEvent, url: URL): boolean {
  const isLink = event.navigationType === 'push' && event.userInitiated;
  const isWayBack =
    event.navigationType === 'traverse' &&
    event.destination.sameDocument &&
    event.destination.url !== window.location.href;
  return (
    (isLink || isWayBack) &&
    event.canIntercept &&
    !event.hashChange &&
    event.downloadRequest === null &&
    event.formData === null &&
    !url.pathname.startsWith('/api/')
  );
}

/** A page redirects while it is rendered; the browser follows as it would with a document. */
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
