'use client';

import { Component, type ReactNode, use, useEffect, useState } from 'react';
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
import { isLostScript, keepPageWithoutScripts } from './lost-scripts.ts';
import { DestinationContext, useVisits } from './use-visits.ts';

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
  // Only after hydration: if the first page itself lacks a script, Waku reloads it once.
  useEffect(keepPageWithoutScripts, []);
  return (
    <Slot id="root">
      <DestinationContext value={destination}>
        {destination !== null && <div className="moving" aria-hidden="true" />}
        <LeavePage>
          <Slot id={slotIdOf(path)} />
        </LeavePage>
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

type Leave = { leave: (() => void) | null };

/**
 * Follows the redirects that pages throw while they are rendered, as a browser would. If a page
 * lacks a script, loads its document, which names the scripts of the latest deploy.
 */
class LeavePage extends Component<{ children: ReactNode }, Leave> {
  override state: Leave = { leave: null };

  static getDerivedStateFromError(error: unknown): Leave {
    const location = errorInfoOf(error)?.location;
    if (location !== undefined) {
      return { leave: () => window.location.replace(location) };
    }
    if (isLostScript(error)) {
      return { leave: () => window.location.reload() };
    }
    throw error;
  }

  override componentDidUpdate(): void {
    this.state.leave?.();
  }

  override render(): ReactNode {
    return this.state.leave === null ? this.props.children : null;
  }
}
