import { failureKind, reportFailure } from '#client/failures.ts';
import { onTabMessage } from '#client/tabs.ts';
import { hasChanges, mayLoseChanges } from '#client/unsaved.ts';
import type { Elements, FetchPage } from './fetch-page.ts';
import {
  forgetPages,
  keepPage,
  keptPage,
  outdatesPages,
  type ShownPage,
  takeAhead,
} from './pages-at-hand.ts';
import { prefetchLinks } from './prefetch.ts';

type Screen = {
  fetchPage: FetchPage;
  /** Shows a fetched page; the promise settles when it is there. */
  show: (elements: Elements, url: URL) => Promise<void>;
  /** Shows what is new on the page on screen. */
  renew: (elements: Elements) => void;
  shownPage: () => ShownPage;
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

/** The `info` of navigating back to the page on screen, after another could not be fetched. */
const toShownPage = {};

/**
 * Follows links and history within this document, and prefetches links. A link is in the address
 * bar only once its page has been fetched, so that without a connection page, address and history
 * stay as they are.
 *
 * @returns a function that removes the listener
 */
export function listenForVisits(
  navigation: Navigation,
  { fetchPage, show, renew, shownPage, expect }: Screen,
): () => void {
  let followed: { href: string; controller: AbortController } | null = null;
  /** The entry of the page on screen, while history already points to another. */
  let shownKey: string | null = null;
  /** Aborts the fetch that checks the page on screen, if that was kept. */
  let checking: AbortController | null = null;

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
      await settled(navigation.navigate(url.href, options));
    } else {
      const retry = () => void follow(url, history);
      await giveUp(result, retry, () => window.location.assign(url));
    }
  }

  /** Does what was chosen, if the changes on the page may be lost. */
  async function askToLeave({ navigationType, destination }: NavigateEvent, url: URL) {
    if (!(await mayLoseChanges())) {
      return;
    }
    if (navigationType === 'traverse') {
      await settled(navigation.traverseTo(destination.key));
    } else if (isPage(url)) {
      await follow(url, navigationType === 'replace' ? 'replace' : 'push');
    } else {
      window.location.assign(url);
    }
  }

  /** Shows a page of history, to which the browser has already changed the address. */
  async function traverse({ destination, signal }: NavigateEvent, url: URL): Promise<void> {
    expect(url.pathname);
    const leftPage = keptPage(destination);
    const result = await (leftPage ?? fetchPage(url, signal));
    if (signal.aborted) {
      return;
    }
    if (result.ok) {
      shownKey = null;
      await show(result.elements, url);
      if (leftPage !== null) {
        // Not awaited: the browser scrolls to where it was.
        void check(url);
      }
    } else {
      const retry = () => navigation.traverseTo(destination.key);
      await giveUp(result, retry, () => window.location.reload());
    }
  }

  /** Fetches the page on screen, which is shown as it was left: something may have changed. */
  async function check(url: URL): Promise<void> {
    checking?.abort();
    const controller = new AbortController();
    checking = controller;
    const result = await fetchPage(url, controller.signal);
    if (controller.signal.aborted) {
      return;
    }
    checking = null;
    if (result.ok) {
      renew(result.elements);
    } else if (failureKind(result) === 'network') {
      reportFailure(result, () => void check(url));
    } else {
      // The server's own page says what is wrong.
      window.location.reload();
    }
  }

  async function giveUp(failure: unknown, retry: () => void, loadDocument: () => void) {
    expect(null);
    if (failureKind(failure) !== 'network' || !reportFailure(failure, retry)) {
      // The server's own page says what is wrong.
      loadDocument();
    } else if (shownKey !== null) {
      const way = navigation.traverseTo(shownKey, { info: toShownPage });
      shownKey = null;
      await settled(way);
    }
  }

  function stopFollowing(): void {
    followed?.controller.abort();
    followed = null;
  }

  /** Keeps the page on screen for the way back to it. */
  function keepShown(): void {
    checking?.abort();
    checking = null;
    const key = shownKey ?? navigation.currentEntry?.key;
    const entry = navigation.entries().find((one) => one.key === key);
    if (entry !== undefined) {
      keepPage(entry, shownPage());
    }
  }

  function onNavigate(event: NavigateEvent): void {
    const { info, destination, navigationType } = event;
    const url = new URL(destination.url);
    const isChosen = event.userInitiated && event.cancelable;
    if (info instanceof Arrival) {
      keepShown();
      shownKey = null;
      event.intercept({ focusReset: 'manual', handler: () => show(info.elements, url) });
    } else if (info === toShownPage || !leavesPage(event)) {
      return;
    } else if (isChosen && navigationType !== 'reload' && hasChanges()) {
      // The browser itself asks about reloads.
      event.preventDefault();
      stopFollowing();
      void askToLeave(event, url);
    } else if (
      isChosen &&
      (navigationType === 'push' || navigationType === 'replace') &&
      isPage(url)
    ) {
      event.preventDefault();
      if (followed?.href !== url.href) {
        stopFollowing();
        void follow(url, navigationType);
      }
    } else if (navigationType === 'traverse' && destination.sameDocument && event.canIntercept) {
      stopFollowing();
      keepShown();
      shownKey ??= navigation.currentEntry?.key ?? null;
      event.intercept({ focusReset: 'manual', handler: () => traverse(event, url) });
    } else if (!destination.sameDocument) {
      // Scripts that set `location` ask for a whole new document, which is now on its way.
      stopFollowing();
      expect(null);
    }
  }

  function onOutdated(): void {
    if (checking !== null) {
      // What it brings may be outdated too.
      void check(new URL(window.location.href));
    }
  }

  navigation.addEventListener('navigate', onNavigate);
  document.addEventListener(outdatesPages, onOutdated);
  // The browser may keep this whole document for its way back.
  window.addEventListener('pagehide', forgetPages);
  const stopHearing = onTabMessage(({ kind }) => kind === 'signed-in' || forgetPages());
  const stopPrefetching = prefetchLinks(fetchPage, isPage);
  return () => {
    stopFollowing();
    stopPrefetching();
    stopHearing();
    checking?.abort();
    forgetPages();
    document.removeEventListener(outdatesPages, onOutdated);
    window.removeEventListener('pagehide', forgetPages);
    navigation.removeEventListener('navigate', onNavigate);
  };
}

/** Until a navigation has ended, however it ends. */
async function settled({ committed, finished }: NavigationResult): Promise<void> {
  await Promise.allSettled([committed, finished]);
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

/** Whether a URL is one of our pages, and may be shown in this document. */
function isPage(url: URL): boolean {
  const { origin, pathname } = window.location;
  return (
    url.origin === origin &&
    !url.pathname.startsWith('/api/') &&
    documentOf(url.pathname) === documentOf(pathname)
  );
}

/**
 * Which pages share a document. Those that may not be recorded have documents of their own, in
 * which nothing records, and those that may show videos the policy that lets them.
 */
function documentOf(path: string): string | undefined {
  return /^\/([cp]\/|learn\b|lessons\/preview\b)/.exec(path)?.[1];
}
