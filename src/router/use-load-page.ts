'use client';

import { startTransition, useCallback } from 'react';
import { useMergeElements_UNSTABLE } from 'waku/minimal/client';
import type { ApiResult } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { tellTabs } from '#client/tabs.ts';
import { useFetchPage } from './fetch-page.ts';
import { outdatePages } from './pages-at-hand.ts';

/**
 * Fetches a page and shows it in place of the current one; islands that both have keep their state.
 *
 * @returns a function that never throws; if the page cannot be fetched, nothing changes
 */
export function useLoadPage(): (url: URL | Location) => Promise<ApiResult<null>> {
  const fetchPage = useFetchPage();
  const mergeElements = useMergeElements_UNSTABLE();
  return useCallback(
    async (url) => {
      const { pathname } = url;
      outdatePages();
      const result = await fetchPage(url);
      if (!result.ok) {
        return result;
      }
      // The user may have navigated on by now.
      if (pathname === window.location.pathname) {
        startTransition(() => void mergeElements(result.elements));
      }
      return { ok: true, data: null };
    },
    [fetchPage, mergeElements],
  );
}

/** Reloads the current page's data after a write. A failure opens the error dialog. */
export function useRefresh(): () => Promise<void> {
  const loadPage = useLoadPage();
  return useCallback(
    async function refresh() {
      tellTabs({ kind: 'changed' });
      const result = await loadPage(window.location);
      if (!result.ok) {
        reportFailure(result, refresh);
      }
    },
    [loadPage],
  );
}
