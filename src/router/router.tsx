'use client';

import { Component, type ReactNode, use, useState } from 'react';
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
import { DestinationContext } from './destination.ts';
import { useVisits } from './use-visits.ts';

/**
 * Hydrates the page that the server has rendered, and replaces it on navigation. Links are plain
 * links, which visits.ts follows by the browser's Navigation API; the browser keeps history and
 * scrolling. Browsers without it load a whole document instead.
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
  const destination = useVisits(elements);
  const path = routeOf(elements)?.path ?? '/404';
  return (
    <Slot id="root">
      <DestinationContext value={destination}>
        {destination !== null && <div className="moving" aria-hidden="true" />}
        <FollowRedirect>
          <Slot id={slotIdOf(path)} />
        </FollowRedirect>
      </DestinationContext>
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
