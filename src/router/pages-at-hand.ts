import type { Elements, FetchPage } from './fetch-page.ts';

/** The event of the document by which a change says that pages fetched before it are outdated. */
export const outdatesPages = 'outdates-pages';

/** How long a page may be shown that was left, and one that was fetched ahead of its link. */
const leftMs = 5 * 60_000;
const aheadMs = 10_000;

const mostKept = 20;

/** A page as it is or was on screen. */
export type ShownPage = {
  elements: Elements;
  /** The cookies that scripts can read: they change with language, look and session. */
  cookies: string;
};

type PageAtHand = {
  url: string | null;
  cookies: string;
  /** Until when it is fresh, as `performance.now()`. */
  until: number;
  page: ReturnType<FetchPage>;
};

/**
 * Pages that were left, by the keys of their entries in history, and the latest one that was fetched
 * ahead; of this document, which shows the pages of one user.
 */
const pages = new Map<string, PageAtHand>();
const aheadKey = 'ahead';

/** Keeps a page that is left. */
export function keepPage({ key, url }: NavigationHistoryEntry, page: ShownPage): void {
  const { elements, cookies } = page;
  const result = Promise.resolve({ ok: true, elements } as const);
  keep(key, { url, cookies, until: performance.now() + leftMs, page: result });
}

/** Keeps a page that is fetched ahead of its link. */
export function keepAhead(url: string, page: ReturnType<FetchPage>): void {
  const ahead = { url, cookies: document.cookie, until: performance.now() + aheadMs, page };
  keep(aheadKey, ahead);
  void page.then(({ ok }) => {
    // The click tries again, and says what is wrong.
    if (!ok && pages.get(aheadKey) === ahead) {
      pages.delete(aheadKey);
    }
  });
}

function keep(key: string, page: PageAtHand): void {
  // Last in the order of the map, which drops the first.
  pages.delete(key);
  pages.set(key, page);
  const [oldest] = pages.keys();
  if (pages.size > mostKept && oldest !== undefined) {
    pages.delete(oldest);
  }
}

/** The page of an entry as it was left; null if it may no longer be shown. */
export function keptPage({ key, url }: Pick<NavigationDestination, 'key' | 'url'>) {
  const page = pages.get(key);
  const isFresh =
    page?.url === url && page.cookies === document.cookie && performance.now() < page.until;
  return isFresh ? page.page : null;
}

export function isAhead(url: string): boolean {
  return keptPage({ key: aheadKey, url }) !== null;
}

/** The page of a link, if it was fetched ahead; once. */
export function takeAhead(url: string): ReturnType<FetchPage> | null {
  const page = keptPage({ key: aheadKey, url });
  pages.delete(aheadKey);
  return page;
}

export function forgetPages(): void {
  pages.clear();
}

/** Says that nothing may be shown that was fetched before now. */
export function outdatePages(): void {
  forgetPages();
  document.dispatchEvent(new Event(outdatesPages));
}
