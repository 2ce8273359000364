import type { Elements } from './fetch-page.ts';

/** How long a page is shown again as it was left. */
const freshMs = 5 * 60_000;

const mostKept = 20;

/** A page as it is or was on screen. */
export type Shown = {
  elements: Elements;
  /** Those that scripts can read, which change with the language, the look and the session. */
  cookies: string;
};

/** Pages that were left, by the keys of their entries in history; of this document only. */
const kept = new Map<string, Shown & { url: string | null; at: number }>();

export function keepPage({ key, url }: NavigationHistoryEntry, shown: Shown): void {
  // Last in the order of the map, which drops the first.
  kept.delete(key);
  kept.set(key, { ...shown, url, at: performance.now() });
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) {
    kept.delete(oldest);
  }
}

/** The page of an entry as it was left; null if it may no longer be shown. */
export function keptPage({ key, url }: NavigationDestination): Elements | null {
  const page = kept.get(key);
  const isFresh =
    page?.url === url && page.cookies === document.cookie && performance.now() - page.at < freshMs;
  return isFresh ? page.elements : null;
}

export function forgetKept(): void {
  kept.clear();
}
