import { kindOf, reportFailure } from '#client/failures.ts';
import { mayLoseChanges } from '#client/may-lose-changes.ts';
import { takeAhead } from './ahead.ts';
import type { Elements, FetchPage } from './fetch-page.ts';

type Screen = {
  fetchPage: FetchPage;
  /** Shows a fetched page; the promise settles when it is there. */
  show: (elements: Elements, url: URL) => Promise<void>;
  /** Tells which path is on its way; null for none. */
  expect: (path: string | null) => void;
};

/** Marks the navigation to a page that has been fetched. */
class Arrival {
  readonly elements: Elements;

  constructor(elements: Elements) {
    this.elements = elements;
  }
}

/** Marks the way back to the entry of the page that is still on screen. */
const toShownPage = {};

/**
 * Follows links and history within this document. A link is in the address bar only once its page
 * has been fetched, so that without a connection page, address and history stay as they are.
 *
 * @returns a function that removes the listener
 */
export function listenForVisits(
  navigation: Navigation,
  { fetchPage, show, expect }: Screen,
): () => void {
  let followed: { href: string; controller: AbortController } | null = null;
  /** The entry of the page on screen, while history already points to another. */
  let shownKey: string | null = null;

  async function follow(url: URL, history: 'push' | 'replace'): Promise<void> {
    const controller = new AbortController();
    followed = { href: url.href, controller };
    expect(url.pathname);
    const result = await (takeAhead(url.href) ?? fetchPage(url, controller.signal));
    if (controller.signal.aborted) {
      return;
    }
    followed = null;
    if (result.ok) {
      const options = { history, info: new Arrival(result.elements) };
      const { committed, finished } = navigation.navigate(url.href, options);
      await Promise.allSettled([committed, finished]);
    } else {
      const retry = () => void follow(url, history);
      await giveUp(result, retry, () => window.location.assign(url));
    }
  }

  async function leave(url: URL, history: 'push' | 'replace'): Promise<void> {
    if (await mayLoseChanges()) {
      await follow(url, history);
    }
  }

  /** Here the browser has already changed the address. */
  async function traverse({ destination, signal }: NavigateEvent, url: URL): Promise<void> {
    expect(url.pathname);
    const result = await fetchPage(url, signal);
    if (signal.aborted) {
      return;
    }
    if (result.ok) {
      shownKey = null;
      await show(result.elements, url);
    } else {
      const retry = () => navigation.traverseTo(destination.key);
      await giveUp(result, retry, () => window.location.reload());
    }
  }

  async function giveUp(failure: unknown, retry: () => void, loadDocument: () => void) {
    expect(null);
    if (kindOf(failure) !== 'network' || !reportFailure(failure, retry)) {
      // The server's own page says what is wrong.
      loadDocument();
    } else if (shownKey !== null) {
      const { committed, finished } = navigation.traverseTo(shownKey, { info: toShownPage });
      shownKey = null;
      await Promise.allSettled([committed, finished]);
    }
  }

  function stopFollowing(): void {
    followed?.controller.abort();
    followed = null;
  }

  function onNavigate(event: NavigateEvent): void {
    const { info, destination, navigationType, userInitiated } = event;
    const url = new URL(destination.url);
    if (info instanceof Arrival) {
      shownKey = null;
      event.intercept({ focusReset: 'manual', handler: () => show(info.elements, url) });
    } else if (info === toShownPage || !leavesPage(event)) {
      return;
    } else if (
      userInitiated &&
      (navigationType === 'push' || navigationType === 'replace') &&
      event.cancelable &&
      isPage(url)
    ) {
      event.preventDefault();
      if (followed?.href !== url.href) {
        stopFollowing();
        void leave(url, navigationType);
      }
    } else if (navigationType === 'traverse' && destination.sameDocument && event.canIntercept) {
      stopFollowing();
      shownKey ??= navigation.currentEntry?.key ?? null;
      event.intercept({ focusReset: 'manual', handler: () => traverse(event, url) });
    } else if (!destination.sameDocument) {
      // Scripts that set `location` ask for a whole new document, which is now on its way.
      stopFollowing();
      expect(null);
    }
  }

  navigation.addEventListener('navigate', onNavigate);
  return () => {
    stopFollowing();
    navigation.removeEventListener('navigate', onNavigate);
  };
}

/** Whether an event leads to another page, and no other listener has refused it. */
function leavesPage(event: NavigateEvent): boolean {
  return (
    !event.defaultPrevented &&
    !event.hashChange &&
    // Two entries at one address are the steps of an island, which follows history itself.
    !(event.navigationType === 'traverse' && event.destination.url === window.location.href) &&
    event.downloadRequest === null &&
    event.formData === null
  );
}

/** Whether a URL is one of our pages. */
export function isPage(url: URL): boolean {
  return url.origin === window.location.origin && !url.pathname.startsWith('/api/');
}
