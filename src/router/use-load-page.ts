'use client';

import { startTransition, useCallback } from 'react';
import {
  unstable_getErrorInfo as errorInfoOf,
  useFetchRsc_UNSTABLE,
  useMergeElements_UNSTABLE,
} from 'waku/minimal/client';
import {
  unstable_encodeRoutePath as encodeRoutePath,
  unstable_pathnameToRoutePath as toRoutePath,
} from 'waku/router/client-core';
import type { ApiResult } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';

/**
 * Fetches a page and shows it in place of the current one; islands that both have keep their state.
 *
 * @returns a function that never throws; if the page cannot be fetched, nothing changes
 */
export function useLoadPage() {
  const fetchRsc = useFetchRsc_UNSTABLE();
  const mergeElements = useMergeElements_UNSTABLE();
  return useCallback(
    async (
      { pathname, search }: URL | Location,
      signal?: AbortSignal,
    ): Promise<ApiResult<null>> => {
      const query = new URLSearchParams({ query: search.slice(1) });
      try {
        const path = encodeRoutePath(toRoutePath(pathname));
        const elements = await fetchRsc(path, query, signal ? { signal } : {});
        signal?.throwIfAborted();
        // The user may have navigated on by now.
        if (pathname === window.location.pathname) {
          startTransition(() => void mergeElements(elements));
        }
        return { ok: true, data: null };
      } catch (error) {
        const { status, unstable_networkError: isNetworkError } = errorInfoOf(error) ?? {};
        return status === undefined
          ? {
              ok: false,
              status: null,
              body: null,
              thrown: isNetworkError ? new TypeError('Network error') : error,
            }
          : { ok: false, status, body: null };
      }
    },
    [fetchRsc, mergeElements],
  );
}

/** Reloads the current page's data after a write. A failure opens the error dialog. */
export function useRefresh(): () => Promise<void> {
  const loadPage = useLoadPage();
  return useCallback(
    async function refresh() {
      const result = await loadPage(window.location);
      if (!result.ok) {
        reportFailure(result, refresh);
      }
    },
    [loadPage],
  );
}
