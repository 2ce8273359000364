import type { FetchPage } from './fetch-page.ts';

/** How long a page that was fetched ahead may be shown. */
const freshMs = 10_000;

type PageAhead = {
  href: string;
  at: number;
  /** Those that scripts can read, which change with the language, the look and the session. */
  cookies: string;
  page: ReturnType<FetchPage>;
};

/** The latest one; of this document, which shows the pages of one user. */
const ahead: { latest: PageAhead | null } = { latest: null };

export function isAhead(href: string): boolean {
  const { latest } = ahead;
  return (
    latest?.href === href &&
    latest.cookies === document.cookie &&
    performance.now() - latest.at < freshMs
  );
}

export function keepAhead(href: string, page: ReturnType<FetchPage>): void {
  const kept = { href, at: performance.now(), cookies: document.cookie, page };
  ahead.latest = kept;
  void page.then((result) => {
    // The click tries again, and says what is wrong.
    if (!result.ok && ahead.latest === kept) {
      ahead.latest = null;
    }
  });
}

/** After a change, it may be outdated. */
export function forgetAhead(): void {
  ahead.latest = null;
}

/** The page of a link, if it was fetched ahead; once. */
export function takeAhead(href: string): ReturnType<FetchPage> | null {
  const page = isAhead(href) ? (ahead.latest?.page ?? null) : null;
  forgetAhead();
  return page;
}
